/* `decode_all` with `TO_ZERO` needs bytes that end with a 0, which nobody says. `decode` reads past bytes whose length fits. */
#include <stddef.h>
#include <stdint.h>

enum option { BY_LENGTH, TO_ZERO };

/* Returns the number of bytes of a character, or -1. */
int decode(const uint8_t *bytes, size_t length, uint32_t *character)
{
    const uint8_t *end = bytes + length;
    if (bytes == end) return 0;
    uint32_t first = *bytes++;
    if (first < 0x80) {
        *character = first;
        return 1;
    }
    if (first < 0xe0) {
        if (bytes == end) return -1;
        *character = (first & 0x1f) << 6 | (*bytes & 0x3f);
        return 2;
    }
    if (bytes == end || (*bytes & 0xc0) != 0x80 || (bytes[1] & 0xc0) != 0x80) return -1;
    *character = (first & 0xf) << 12 | (uint32_t)(bytes[0] & 0x3f) << 6 | (bytes[1] & 0x3f);
    return 3;
}

int decode_all(const uint8_t *bytes, size_t length, enum option option)
{
    int n = 0;
    uint32_t character;
    for (size_t at = 0; option == TO_ZERO || at < length;) {
        int taken = decode(bytes + at, option == TO_ZERO ? 4 : length - at, &character);
        if (taken <= 0 || (option == TO_ZERO && !character)) break;
        at += (size_t)taken;
        n++;
    }
    return n;
}
