struct opaque;

int use(struct opaque *p)
{
    return p != 0;
}

int impossible(int x)
/*@ requires x > 5i32; x < 3i32; @*/
{
    return x;
}

int fine(int x)
{
    return x > 0;
}

void log_large(int x);

int half(int x)
/*@ requires x < 10i32; @*/
{
    if (x > 20)
        log_large(x);
    return 0;
}

int variadic(int n, ...)
{
    return n;
}
