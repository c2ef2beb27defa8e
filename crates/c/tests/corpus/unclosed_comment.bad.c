/*@ assert(true); */
/* The comment above is an ordinary one: it is not closed as specs are, and nothing could stand there. */

int same(int x)
/*@ ensures return == x; @*/
{
    return x;
}
