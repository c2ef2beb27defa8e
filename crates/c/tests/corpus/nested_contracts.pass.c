// expect: pass
/* A caller that hands memory on to functions with contracts, and gets it back. */

void add_to(int *p, int x)
/*@ requires take P = RW<int>(p); -1000i32 <= P && P <= 1000i32; -1000i32 <= x && x <= 1000i32;
    ensures take P2 = RW<int>(p); P2 == P + x; @*/
{
    *p += x;
}

int sum_of_three(int a, int b, int c)
/*@ requires -100i32 <= a && a <= 100i32; -100i32 <= b && b <= 100i32; -100i32 <= c && c <= 100i32;
    ensures return == a + b + c; @*/
{
    int sum = 0;
    add_to(&sum, a);
    add_to(&sum, b);
    add_to(&sum, c);
    return sum;
}

struct pair { int left, right; };

void both(struct pair *p)
/*@ requires take P = RW<struct pair>(p); P.left == 0i32; P.right == 0i32;
    ensures take P2 = RW<struct pair>(p); P2.left == 1i32; P2.right == 2i32; @*/
{
    add_to(&p->left, 1);
    add_to(&p->right, 2);
}
