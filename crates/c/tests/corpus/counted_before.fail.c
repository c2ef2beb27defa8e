// expect: out-of-bounds of largest, at most 1 calls
// seeds: 3
int largest(int n, const int *a) { int m = a[0]; for (int i = 1; i <= n; i++) if (a[i] > m) m = a[i]; return m; }
