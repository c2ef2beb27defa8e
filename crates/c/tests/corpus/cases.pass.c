// expect: pass
/* Spec functions: let, if, the conditional operator, calls of one another. */

/*@
function (boolean) is_leap(u32 year) {
  let by4 = rem(year, 4u32) == 0u32;
  let by100 = year % 100u32 == 0u32;
  by4 && (!by100 || year % 400u32 == 0u32)
}

function (u32) days(u32 year, u32 month) {
  if (month == 2u32) { is_leap(year) ? 29u32 : 28u32 }
  else {
    if (month == 4u32 || month == 6u32 || month == 9u32 || month == 11u32) { 30u32 } else { 31u32 }
  }
}
@*/

static unsigned is_leap_year(unsigned y)
{
    return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

unsigned days_of(unsigned year, unsigned month)
/*@ requires 1u32 <= month && month <= 12u32;
    ensures return == days(year, month); @*/
{
    static const unsigned char table[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    return table[month - 1] + (month == 2 ? is_leap_year(year) : 0);
}
