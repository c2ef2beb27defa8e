// expect: read-only of shout, at most 1 call
/* A literal is changed. */

static const char *name(int which)
{
    return which ? "somebody" : "nobody";
}

char shout(int which)
{
    char *text = (char *)name(which);
    text[0] -= 32;
    return text[0];
}
