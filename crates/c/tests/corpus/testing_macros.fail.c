// expect: postcondition of least, at most 1 calls
// clause: return <= a
/* CN's testing modes define macros; files choose by them what is there to be tested. */
#if defined(__CN_TEST) && defined(__CN_SEQ_TEST) && defined(__CN_INSTRUMENT)
int least(int a, int b)
/*@ ensures return <= a; return <= b; @*/
{
    return a < b ? b : a;
}
#endif
