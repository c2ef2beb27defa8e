enum colour { RED, GREEN };

/* Constants of enumerations are i32, values are u32. */

int is_red(enum colour c)
/*@ requires c <= GREEN;
    ensures return == 1i32 || c != RED; @*/
{
    return c == RED;
}
