// expect: pass
/* Arrays inside structs are maps from u64. */

struct row { unsigned n; short cells[3]; };
struct board { struct row rows[2]; };

short cell(struct board *b, unsigned r, unsigned c)
/*@ requires take B = RW<struct board>(b); r < 2u32 && c < 3u32;
    ensures take B2 = RW<struct board>(b); B2 == B;
            return == B.rows[(u64) r].cells[(u64) c]; @*/
{
    return b->rows[r].cells[c];
}

void mark(struct board *b, unsigned c, short v)
/*@ requires take B = RW<struct board>(b); c < 3u32;
    ensures take B2 = RW<struct board>(b);
            let first = B.rows[0u64];
            B2.rows[0u64] == { cells: first.cells[(u64) c: v], ..first };
            B2.rows[1u64] == B.rows[1u64]; @*/
{
    b->rows[0].cells[c] = v;
}

short middle(struct row r)
/*@ ensures return == r.cells[1u64]; @*/
{
    return r.cells[1];
}
