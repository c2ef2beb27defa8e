
#define WIDE 3

int f(int x);
/*@ ensures return == y; @*/
