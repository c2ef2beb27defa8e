// expect: out-of-bounds of class_of, at most 1 call
/* `char` has no sign here, and a table for ASCII is too small. */

unsigned char class_of(char c)
{
    static unsigned char classes[128];
    return classes[c & 0xff];
}
