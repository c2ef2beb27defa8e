// expect: stack-smashed of greet, at most 1 call
/* Written through a pointer, far enough to reach what the function needs to return; so long that no fence stands behind it. */

static void copy(char *to, const char *from)
{
    while ((*to++ = *from++)) {}
}

char greet(const char *who)
{
    char text[5000];
    char *volatile to = text + 4990;
    copy(to, "good evening, dear ");
    return text[0] == who[0] ? who[0] : text[4990];
}
