// expect: postcondition of tick, at most 3 calls
// clause: counter < 3u32
/* State in a global variable: only the third call is wrong. */

static unsigned counter;

unsigned tick(void)
/*@ accesses counter;
    requires counter < 3u32;
    ensures return == {counter}%start; counter < 3u32; @*/
{
    unsigned now = counter++;
    if (counter > 3) counter = 0;
    return now;
}
