/*
 * What the harnesses for AFL++ share: where input comes from, memory that is the same for every input, and checks.
 *
 * A harness includes a workload, makes the arguments of one of its functions from the bytes of the input, gives up
 * if the precondition does not hold, calls the function, and aborts if the postcondition does not hold. Mutants of
 * the code are in the file that is included; of the specification, a macro `MUTANT_name` tells which one is meant.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)
#define ASSUME(condition) do { if (!(condition)) return; } while (0)

/* The input, byte by byte; zeros where it has ended. */
static const unsigned char *input;
static long n_input;

static int next_byte(void) { return n_input > 0 ? (n_input--, *input++) : 0; }

__attribute__((unused)) static int next_int(void)
{
    unsigned int number = 0;
    for (int i = 0; i < 4; i++) number |= (unsigned int)next_byte() << (8 * i);
    return (int)number;
}

/* Blocks are never used again within an input. Fresh ones are noise, as are those that were freed. */
#define MAX_BLOCKS 1024
static _Alignas(16) unsigned char arena[1 << 16];
static unsigned long n_used;
static struct { unsigned char *at; unsigned long size; int is_live; } blocks[MAX_BLOCKS];
static int n_blocks;

void *cn_malloc(unsigned long size)
{
    unsigned long room = (size + 15) & ~15ul;
    if (n_blocks == MAX_BLOCKS || sizeof arena - n_used < room) _exit(0);
    unsigned char *at = arena + n_used;
    memset(at, 0xa5, room);
    n_used += room;
    blocks[n_blocks].at = at;
    blocks[n_blocks].size = size;
    blocks[n_blocks++].is_live = 1;
    return at;
}

static int is_live(const void *p, unsigned long size)
{
    for (int i = 0; i < n_blocks; i++)
        if (blocks[i].at == p) return blocks[i].is_live && blocks[i].size >= size;
    return 0;
}

void cn_free_sized(void *p, unsigned long size)
{
    CHECK(is_live(p, size));
    for (int i = 0; i < n_blocks; i++)
        if (blocks[i].at == p) blocks[i].is_live = 0;
    memset(p, 0x5a, size);
}

__attribute__((unused)) static int n_live(void)
{
    int n = 0;
    for (int i = 0; i < n_blocks; i++) n += blocks[i].is_live;
    return n;
}

/* One input. */
static void test(void);

#ifdef __AFL_FUZZ_INIT
__AFL_FUZZ_INIT();
#endif

int main(void)
{
#ifdef __AFL_FUZZ_INIT
    __AFL_INIT();
    unsigned char *bytes = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(100000)) {
        n_input = __AFL_FUZZ_TESTCASE_LEN;
#else
    static unsigned char bytes[1 << 16];
    {
        n_input = read(0, bytes, sizeof bytes);
#endif
        input = bytes;
        n_used = 0;
        n_blocks = 0;
        test();
    }
    return 0;
}
