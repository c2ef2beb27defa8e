// expect: pass
/* Contracts that only read: what is lent may be shared, handed on, a string literal or `const`. */

static const int weights[4] = { 1, 2, 3, 4 };

/*@
predicate {u64 n} Text(pointer p) {
    take c = R<char>(p);
    take rest = More(p, c);
    return { n: rest.n };
}

predicate {u64 n} More(pointer p, u8 c) {
    if (c == 0u8) {
        return { n: 0u64 };
    } else {
        take rest = Text(array_shift<char>(p, 1u64));
        return { n: rest.n + 1u64 };
    }
}
@*/

unsigned long length(const char *s)
/*@ requires take before = Text(s);
    ensures return == before.n; @*/
{
    unsigned long n = 0;
    while (s[n]) n++;
    return n;
}

/* The same text may be lent twice, and each callee gets it lent again. */
int as_long(const char *a, const char *b)
/*@ requires take of_a = Text(a); take of_b = Text(b);
    ensures return == (of_a.n >= of_b.n ? 1i32 : 0i32); @*/
{
    return length(a) >= length(b);
}

const char *colour(int k)
/*@ ensures take c = R<char>(return); c != 0u8; @*/
{
    return k % 2 ? "red" : "green";
}

/* A literal is handed to a function that reads it. */
unsigned long length_of_colour(void)
/*@ ensures return == 3u64; @*/
{
    return length("red");
}

int weight(unsigned int k)
/*@ requires k < 4u32; take all = R<int[4]>(&weights);
    ensures return == all[(u64) k]; @*/
{
    return weights[k];
}

int heaviest(void)
/*@ accesses weights;
    ensures return == weights[3u64]; @*/
{
    return weights[3];
}

/* Reads one cell and writes the other. */
void copy(int *to, const int *from)
/*@ requires take old = W<int>(to); take source = R<int>(from);
    ensures take new = RW<int>(to); new == source; @*/
{
    *to = *from;
}
