/*
 * A number in a file: `open_file` opens the file `test`, a line with `-123456`, and `read_file` returns the
 * absolute value of what it reads. A file is a block with the descriptor in it, so that it can be owned.
 */

#include <fcntl.h>
#include <unistd.h>

void *cn_malloc(unsigned long size);
void cn_free_sized(void *p, unsigned long size);

#define LENGTH 8

struct file {
    int descriptor;
};

struct file *open_file(void)
/*@ ensures take F = RW<struct file>(return); @*/
{
    struct file *file = cn_malloc(sizeof(struct file));
    file->descriptor = open("test", O_RDONLY);
    return file;
}

static void terminate(char *buffer, long n)
/*@ requires 0i64 <= n; n < 8i64;
             take B = W<char>(array_shift<char>(buffer, n));
    ensures take B_post = RW<char>(array_shift<char>(buffer, n)); @*/
{
    buffer[n] = 0;
}

int read_file(struct file *file)
/*@ requires take F = RW<struct file>(file);
    ensures take F_post = RW<struct file>(file);
            F_post.descriptor == F.descriptor;
            return == 0i32 || return == 123456i32; @*/
{
    char buffer[LENGTH];
    lseek(file->descriptor, 0, SEEK_SET);
    long n = read(file->descriptor, buffer, LENGTH - 1);
    if (n < 0) {
        return 0;
    }
    terminate(buffer, n);
    int number = 0;
    for (long i = 0; i < n; i++) {
        if (buffer[i] >= '0' && buffer[i] <= '9') {
            number = number * 10 + (buffer[i] - '0');
        }
    }
    return number;
}
