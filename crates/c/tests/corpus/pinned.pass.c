// expect: pass
/* Preconditions that nothing random would meet; what they say is used to choose values. */

void only_42(int x)
/*@ requires x == 42i32; @*/
{
    (void)x;
}

unsigned long key(unsigned long secret, unsigned char low)
/*@ requires secret == 0x5a17e57a18e57a18u64; low == (u8) secret;
    ensures return == secret - (u64) low; @*/
{
    return secret - low;
}

int narrow(int x)
/*@ requires 1000000i32 < x && x < 1000003i32;
    ensures return == 1i32 || return == 2i32; @*/
{
    return x - 1000000;
}
