// expect: signal of month, at most 1 call

const char *month(unsigned m)
{
    switch (m % 4) {
    case 0: return "January";
    case 1: return "February";
    case 2: return "March";
    default: __builtin_trap();
    }
}
