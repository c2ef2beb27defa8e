/* Nobody can own what is `const`. */
static const int table[4] = { 1, 2, 3, 4 };

int get(unsigned int k)
/*@ requires take t = RW<int[4]>(&table); k < 4u32;
    ensures take u = RW<int[4]>(&table); return == t[(u64) k]; @*/
{
    return table[k];
}

int first(void)
/*@ requires take t = W<int>(&table[0u64]); @*/
{
    return table[0];
}
