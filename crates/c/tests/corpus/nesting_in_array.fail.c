// expect: out-of-bounds of check, at most 1 calls
// seeds: 3
int check(const char *s)
{
    char stack[32]; int n = 0;
    for (; *s; s++) {
        if (*s == '[' || *s == '{') stack[n++] = *s;
        else if (*s == ']' || *s == '}') { if (n == 0) return 0; n--; }
    }
    return n == 0 ? stack[0] != 'x' : 0;
}
