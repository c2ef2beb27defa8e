// expect: pass
/* Global variables: accesses takes them and gives them back. */

static unsigned counter;
unsigned limit = 3;
struct { int x, y; } origin;

unsigned tick(void)
/*@ accesses counter, limit;
    requires limit > 0u32; counter < limit;
    ensures return == {counter}%start;
            counter == (return + 1u32 < limit ? return + 1u32 : 0u32);
            {limit}unchanged; @*/
{
    unsigned now = counter++;
    if (counter >= limit) counter = 0;
    return now;
}

unsigned peek(void)
/*@ accesses counter;
    ensures return == counter; {counter}unchanged; @*/
{
    return counter;
}

void move_origin(int x)
/*@ accesses origin;
    ensures origin.x == x; origin.y == {origin.y}%start; @*/
{
    origin.x = x;
}
