/* Start-up code for 64-bit Arm processors. There is no guard: bodies are called directly. */

#include "board.h"

int main(int argc, char **argv);

extern unsigned char bss_start[], bss_end[];

void board_start(void);
void board_start(void)
{
    unsigned char *volatile to;
    for (to = bss_start; to < bss_end; to++) *to = 0;
    board_exit(main(0, NULL));
}
