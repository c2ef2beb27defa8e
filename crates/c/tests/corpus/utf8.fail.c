// expect: out-of-bounds of utf8_decode, at most 1 call
#include <stddef.h>
#include <stdint.h>
/* No contracts: decodes one code point; -1 on malformed input. */
int32_t utf8_decode(const unsigned char *s, size_t n, size_t *used)
{
    if (!n) { *used = 0; return -1; }
    unsigned char c = s[0];
    size_t more = c < 0x80 ? 0 : c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 9;
    *used = 1;
    if (more == 9 || c > 0xf4) return -1;
    int32_t v = more == 0 ? c : c & (0x3f >> more);
    for (size_t i = 1; i <= more; i++) {
        if ((s[i] & 0xc0) != 0x80) return -1;
        v = v << 6 | (s[i] & 0x3f);
    }
    *used = more + 1;
    return v;
}
