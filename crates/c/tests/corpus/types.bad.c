/* Operands of different types, conditions that are none, literals that do not fit. */

unsigned scaled(unsigned char small, int n)
/*@ requires n;
             (u32) small < n;
             small < 300u8;
    ensures return == small * n;
            return == (u32) small * 3; @*/
{
    return small * 3u;
}
