// expect: out-of-bounds of to_utf16, at most 1 calls
/* The second half of a pair is written where there is room for the first one only. It takes a character of four bytes, in bytes. */
#include <stddef.h>
#include <stdint.h>

long to_utf16(const unsigned char *in, size_t n, uint16_t *out, size_t capacity)
{
    size_t used = 0;
    for (size_t i = 0; i < n;) {
        uint32_t code;
        unsigned length;
        if (in[i] < 0x80) code = in[i], length = 1;
        else if (in[i] >> 5 == 6) code = in[i] & 31, length = 2;
        else if (in[i] >> 4 == 14) code = in[i] & 15, length = 3;
        else if (in[i] >> 3 == 30) code = in[i] & 7, length = 4;
        else return -1;
        if (n - i < length) return -1;
        for (unsigned k = 1; k < length; k++) {
            if (in[i + k] >> 6 != 2) return -1;
            code = code << 6 | (in[i + k] & 63);
        }
        i += length;
        if (code < 0x10000) {
            if (used < capacity) out[used] = (uint16_t)code;
            used++;
        } else {
            if (used < capacity) {
                out[used] = (uint16_t)(0xd800 + ((code - 0x10000) >> 10));
                out[used + 1] = (uint16_t)(0xdc00 + (code & 0x3ff));
            }
            used += 2;
        }
    }
    return (long)used;
}
