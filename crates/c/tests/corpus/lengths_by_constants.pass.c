// expect: pass
/* A constant of an enumeration may say how long an array is. */

enum { ROWS = 3, COLUMNS = 5 };

int first_of_each(void *p)
/*@ requires take P = RW<char[ROWS][COLUMNS]>(p);
    ensures take Q = RW<char[ROWS][COLUMNS]>(p);
            Q == P;
            return == (i32) P[0u64][0u64] + (i32) P[1u64][0u64] + (i32) P[2u64][0u64]; @*/
{
    unsigned char (*rows)[COLUMNS] = p;
    return rows[0][0] + rows[1][0] + rows[2][0];
}
