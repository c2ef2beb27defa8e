// expect: out-of-bounds of histogram, at most 1 call

unsigned histogram(const unsigned char *data, unsigned long n)
{
    unsigned counts[10] = { 0 };
    for (unsigned long i = 0; i < n; i++) counts[data[i] % 11]++;
    unsigned most = 0;
    for (int i = 0; i < 10; i++)
        if (counts[i] > most) most = counts[i];
    return most;
}
