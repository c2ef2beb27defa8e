// expect: pass
/* Patterns inside patterns, matches on numbers of constructors, options of one's own. */

/*@
datatype Option { None_ {}, Some_ { u32 x } }
datatype Shape { Dot {}, Box { { u32 w, u32 h } size, datatype Option border } }

function (u32) area(datatype Shape s) {
  match s {
    Dot {} => { 0u32 }
    Box { size: d, border: None_ {} } => { d.w * d.h }
    Box { size: d, border: Some_ { x: b } } => { (d.w + 2u32 * b) * (d.h + 2u32 * b) }
  }
}

function (datatype Shape) shape(u32 w, u32 h, u32 b) {
  let size = { w: w, h: h };
  if (w == 0u32 || h == 0u32) { Dot {} }
  else { Box { size: size, border: b == 0u32 ? None_ {} : Some_ { x: b } } }
}
@*/

unsigned framed_area(unsigned char w, unsigned char h, unsigned char border)
/*@ ensures return == area(shape((u32) w, (u32) h, (u32) border)); @*/
{
    if (!w || !h) return 0;
    return (w + 2u * border) * (h + 2u * border);
}
