/* Cases that are missing, doubled, unknown. */

/*@
datatype Colour { Red {}, Green { u8 depth }, Blue { u8 depth } }

function (u8) depth(datatype Colour c) {
  match c {
    Red {} => { 0u8 }
    Green { depth: d } => { d }
  }
}

function (u8) strange(datatype Colour c) {
  match c {
    Red {} => { 0u8 }
    Yellow {} => { 1u8 }
    Green { width: d } => { d }
    _ => { true }
  }
}
@*/

int f(void)
/*@ ensures return == 0i32; @*/
{
    return 0;
}
