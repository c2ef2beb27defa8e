//! Values of all types travel into calls and out of them.

use stairway_c::ctypes::{CType, Signature};
use stairway_c::machine::{Flow, FrameOpening, Hooks, Machine, NestedCall, Prototype};

use crate::support::{Returns, Value, float, int, program};

#[test]
fn scalars_travel() {
    let mut p = program(
        "double mix(unsigned char a, short b, int c, long d, float e, double f) { return a + b + c + d + e + f; }
         float half(float x) { return x / 2; } unsigned char wrap(unsigned char x) { return x + 1; }
         int ten(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) { return a+2*b+3*c+4*d+5*e+6*f+7*g+8*h+9*i+10*j; }",
    );
    let arguments = [
        Value::U8(200),
        Value::I16(-5),
        Value::I32(7),
        Value::I64(1 << 20),
        Value::F32(0.5),
        Value::F64(0.25),
    ];
    let result = p.call("mix", Returns::F64, &arguments).expect("returns");
    assert_eq!(f64::from_le_bytes(result.try_into().expect("a double")), 1_048_778.75);
    let result = p.call("half", Returns::F32, &[Value::F32(3.0)]).expect("returns");
    assert_eq!(result, 1.5f32.to_le_bytes());
    assert_eq!(p.call("wrap", Returns::U8, &[Value::U8(255)]), Ok(vec![0]));
    assert_eq!(p.int("ten", &[1, 1, 1, 1, 1, 1, 1, 1, 1, 2]), Ok(65));
}

/// Structs of every size from 1 to 40 bytes, in and out, changed on the way.
#[test]
fn structs_of_all_sizes_travel() {
    let mut text = String::new();
    for n in 1..=40 {
        text += &format!(
            "struct s{n} {{ unsigned char b[{n}]; }};
             struct s{n} f{n}(int before, struct s{n} x, int after) {{ x.b[{n} - 1] += before + after; return x; }}\n"
        );
    }
    let mut p = program(&text);
    for n in 1..=40u64 {
        let byte = p.types.add(int(1, false));
        let ty = p.record(n, 1, false, &[(CType::Array { of: byte, len: Some(n) }, 0)]);
        let bytes: Vec<u8> = (0..n as u8).collect();
        let mut expected = bytes.clone();
        expected[n as usize - 1] += 7;
        let arguments = [Value::I32(3), Value::Record(ty, bytes), Value::I32(4)];
        assert_eq!(p.call(&format!("f{n}"), Returns::Type(ty), &arguments), Ok(expected), "size {n}");
    }
}

#[test]
fn floats_in_structs_unions_and_wide_values_travel() {
    let mut p = program(
        "struct fi { float f; int i; }; struct fi fi(struct fi x) { x.f *= 2; x.i++; return x; }
         struct fff { float a, b, c; }; struct fff fff(struct fff x) { x.c += x.a; return x; }
         struct di { double d; int i; }; struct di di(struct di x) { x.d += x.i; return x; }
         union u { double d; int i; }; union u un(union u x) { x.i++; return x; }
         struct ld { long double x; }; int ld(struct ld v) { return (int)v.x; }
         __int128 wide(__int128 x) { return x + 1; }
         struct m { long a, b, c; double d; }; struct m m(struct m x, double y) { x.d += y; x.a = x.b + x.c; return x; }",
    );
    let f = float(4);
    let fi = p.record(8, 4, false, &[(f.clone(), 0), (int(4, true), 4)]);
    let value = [1.5f32.to_le_bytes(), 7i32.to_le_bytes()].concat();
    let result = p.call("fi", Returns::Type(fi), &[Value::Record(fi, value)]);
    assert_eq!(result, Ok([3f32.to_le_bytes(), 8i32.to_le_bytes()].concat()));

    let fff = p.record(12, 4, false, &[(f.clone(), 0), (f.clone(), 4), (f, 8)]);
    let value = [1f32, 2.0, 3.0].map(f32::to_le_bytes).concat();
    let result = p.call("fff", Returns::Type(fff), &[Value::Record(fff, value)]);
    assert_eq!(result, Ok([1f32, 2.0, 4.0].map(f32::to_le_bytes).concat()));

    let di = p.record(16, 8, false, &[(float(8), 0), (int(4, true), 8)]);
    let value = [1f64.to_le_bytes(), [2, 0, 0, 0, 0, 0, 0, 0]].concat();
    let result = p.call("di", Returns::Type(di), &[Value::Record(di, value)]).expect("returns");
    assert_eq!(result[..12], [3f64.to_le_bytes().to_vec(), 2i32.to_le_bytes().to_vec()].concat());

    let un = p.record(8, 8, true, &[(float(8), 0), (int(4, true), 0)]);
    let result = p.call("un", Returns::Type(un), &[Value::Record(un, 41u64.to_le_bytes().to_vec())]);
    assert_eq!(result, Ok(42u64.to_le_bytes().to_vec()));

    let wide = p.types.add(int(16, true));
    let value = u128::from(u64::MAX).to_le_bytes().to_vec();
    let result = p.call("wide", Returns::Type(wide), &[Value::Record(wide, value)]);
    assert_eq!(result, Ok((1u128 << 64).to_le_bytes().to_vec()));

    let members: Vec<_> = [0, 8, 16].iter().map(|o| (int(8, true), *o)).chain([(float(8), 24)]).collect();
    let m = p.record(32, 8, false, &members);
    let value = [1u64, 2, 3, 0f64.to_bits()].map(u64::to_le_bytes).concat();
    let result = p.call("m", Returns::Type(m), &[Value::Record(m, value), Value::F64(0.5)]);
    assert_eq!(result, Ok([5u64, 2, 3, 0.5f64.to_bits()].map(u64::to_le_bytes).concat()));

    // 2.0 as an 80-bit float: exponent 0x4000, leading one explicit.
    let ld = p.record(16, 16, false, &[(float(16), 0)]);
    let mut value = vec![0; 16];
    value[7] = 0x80;
    value[9] = 0x40;
    let result = p.call("ld", Returns::I32, &[Value::Record(ld, value)]);
    assert_eq!(result, Ok(2i32.to_le_bytes().to_vec()));
}

#[test]
fn what_cannot_travel_is_refused_by_name() {
    let mut p = program("int x;");
    let vector = p.types.add(CType::Other { name: "int __vector(4)".into(), size: 16 });
    let returns = p.types.add(CType::Void);
    let signature = Signature { returns, parameters: vec![vector], is_variadic: false };
    let error = Prototype::new(&p.types, &signature).expect_err("no vectors");
    assert!(error.to_string().contains("__vector"), "{error}");
}

/// The compiler builds such a result in place, and hands its address to whom it likes.
#[test]
fn large_results_may_be_built_in_place() {
    let mut p = program(
        "struct big { long a[8]; }; static void fill(struct big *b, long x) { for (int i = 0; i < 8; i++) b->a[i] = x + i; }
         struct big make(long x) { struct big r; fill(&r, x); return r; }
         long sum(long x) { struct big b = make(x); long s = 0; for (int i = 0; i < 8; i++) s += b.a[i]; return s; }",
    );
    let long = p.types.add(int(8, true));
    let big = p.record(64, 8, false, &[(CType::Array { of: long, len: Some(8) }, 0)]);
    let result = p.call("make", Returns::Type(big), &[Value::I64(10)]);
    assert_eq!(result, Ok((10..18u64).flat_map(u64::to_le_bytes).collect()));

    let (prototype, _) = p.prototype(Returns::Type(big), &[Value::I64(0)]);
    let address = p.machine.interception_point("make").expect("there");
    p.machine.intercept(address, &prototype, 1).expect("padded");
    let result = p.call_hooked("sum", Returns::I64, &[Value::I64(1)], &mut EmptyFrame);
    assert_eq!(result, Ok(36u64.to_le_bytes().to_vec()));
}

/// A contract that owns nothing.
struct EmptyFrame;

impl Hooks for EmptyFrame {
    fn before(&mut self, machine: &Machine, _: &mut NestedCall<'_>) -> Flow {
        assert_eq!(machine.begin_frame(&[]), Ok(FrameOpening::Yes));
        Flow::GoOn
    }

    fn after(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow {
        assert_eq!(call.result().len(), 64);
        machine.end_frame(&mut Vec::new());
        Flow::GoOn
    }
}
