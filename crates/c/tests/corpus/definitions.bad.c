/* Definitions that clash or go in circles. */

/*@
function (u32) one() { 1u32 }
function (u32) one() { 2u32 }
type_synonym a = b
type_synonym b = a
datatype Endless { More { datatype Endless rest } }
datatype Twice { X {}, X {} }
function (i32) wrong(u32 x) { x }
function (boolean) loads(pointer p) { *p == 1i32 }
@*/

int f(void)
/*@ ensures return == 0i32; @*/
{
    return 0;
}
