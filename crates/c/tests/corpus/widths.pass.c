// expect: pass
#include <stddef.h>
#include <stdint.h>

/* Arguments and results of every width, in registers and on the stack. */

int8_t a8(int8_t x) /*@ ensures return == x; @*/ { return x; }
uint8_t b8(uint8_t x) /*@ ensures return == x; @*/ { return x; }
int16_t a16(int16_t x) /*@ ensures return == x; @*/ { return x; }
uint16_t b16(uint16_t x) /*@ ensures return == x; @*/ { return x; }
int32_t a32(int32_t x) /*@ ensures return == x; @*/ { return x; }
uint32_t b32(uint32_t x) /*@ ensures return == x; @*/ { return x; }
int64_t a64(int64_t x) /*@ ensures return == x; @*/ { return x; }
uint64_t b64(uint64_t x) /*@ ensures return == x; @*/ { return x; }
long long c64(long long x) /*@ ensures return == x; @*/ { return x; }
size_t size(size_t x) /*@ ensures return == x; @*/ { return x; }
_Bool flag(_Bool x) /*@ ensures return == x; return <= 1u8; @*/ { return x; }
char plain(char x) /*@ ensures return == x; @*/ { return x; }
signed char with_sign(signed char x) /*@ ensures return == x; @*/ { return x; }
__int128 wide(__int128 x) /*@ ensures return == x; @*/ { return x; }

unsigned long many(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, char i)
/*@ ensures return == (u64) a + (u64) b + (u64) c + (u64) d + (u64) e + (u64) f + (u64) g + h + (u64) i; @*/
{
    return (uint64_t)a + b + (uint64_t)c + d + (uint64_t)e + f + (uint64_t)g + h + (uint64_t)i;
}
