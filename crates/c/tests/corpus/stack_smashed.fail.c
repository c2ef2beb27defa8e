// expect: stack-smashed of greet, at most 1 call
/* Written through a pointer, far enough to reach what the function needs to return. */

static void copy(char *to, const char *from)
{
    while ((*to++ = *from++)) {}
}

char greet(const char *who)
{
    char text[8];
    char *volatile to = text;
    copy(to, "good evening, dear ");
    return text[0] == who[0] ? who[0] : text[1];
}
