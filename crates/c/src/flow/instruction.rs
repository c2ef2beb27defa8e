//! How long an instruction of x86-64 is, and where it goes on: as much of decoding as finding basic blocks takes.
//!
//! Knows what compilers write into functions: the general instructions, SSE, AVX and AVX-512. What operands are is
//! none of its business.

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    /// How many bytes it has.
    pub(super) size: usize,
    pub(super) goes: Continuation,
}

/// Where an instruction goes on. Distances are from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Continuation {
    /// To the next one.
    Next,
    /// To the next one, when what it calls returns.
    Call(Option<i64>),
    /// There.
    Jump(i64),
    /// To the next one or there.
    Branch(i64),
    /// To an address that is computed.
    Computed,
    /// To nothing in this function.
    Leaves,
}

/// Tables of opcodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Map {
    /// One byte.
    Plain,
    /// Behind `0f`.
    Second,
    /// Behind `0f 38`.
    Third,
    /// Behind `0f 3a`.
    Fourth,
}

/// What comes before an opcode.
#[derive(Clone, Copy, Default)]
struct Prefixes {
    has_short_operands: bool,
    has_short_addresses: bool,
    /// The bit of REX that makes operands 64 bits wide.
    is_wide: bool,
}

/// What follows an opcode.
#[derive(Clone, Copy)]
struct Operands {
    has_modrm: bool,
    n_immediate: usize,
}

/// Decodes the instruction at the beginning of `code`; nothing if it is none that is known.
pub(super) fn decode(code: &[u8]) -> Option<Instruction> {
    let mut at = 0;
    let mut prefixes = Prefixes::default();
    loop {
        match *code.get(at)? {
            0x66 => prefixes.has_short_operands = true,
            0x67 => prefixes.has_short_addresses = true,
            0x26 | 0x2e | 0x36 | 0x3e | 0x64 | 0x65 | 0xf0 | 0xf2 | 0xf3 => {}
            _ => break,
        }
        at += 1;
    }
    if let rex @ 0x40..=0x4f = *code.get(at)? {
        prefixes.is_wide = rex & 8 != 0;
        at += 1;
    }
    let (map, at) = map(code, at)?;
    let (opcode, at) = (*code.get(at)?, at + 1);
    let operands = operands(map, opcode, prefixes, code.get(at).copied())?;
    let end_of_address = at + if operands.has_modrm { address_size(&code[at..])? } else { 0 };
    let size = end_of_address + operands.n_immediate;
    let immediate = code.get(end_of_address..size)?;
    let register = operands.has_modrm.then(|| code[at] >> 3 & 7);
    Some(Instruction { size, goes: continuation(map, opcode, register, immediate) })
}

/// Which table the opcode is of, and where it stands.
fn map(code: &[u8], at: usize) -> Option<(Map, usize)> {
    let of = |number: u8| match number {
        1 => Some(Map::Second),
        2 => Some(Map::Third),
        3 => Some(Map::Fourth),
        _ => None,
    };
    Some(match *code.get(at)? {
        0x0f => match *code.get(at + 1)? {
            0x38 => (Map::Third, at + 2),
            0x3a => (Map::Fourth, at + 2),
            _ => (Map::Second, at + 1),
        },
        0xc5 => (Map::Second, at + 2),
        0xc4 => (of(code.get(at + 1)? & 0x1f)?, at + 3),
        0x62 => (of(code.get(at + 1)? & 7)?, at + 4),
        _ => (Map::Plain, at),
    })
}

fn operands(map: Map, opcode: u8, prefixes: Prefixes, modrm: Option<u8>) -> Option<Operands> {
    let full = if prefixes.has_short_operands && !prefixes.is_wide { 2 } else { 4 };
    let (has_modrm, n_immediate) = match map {
        Map::Plain => plain(opcode, full, prefixes, modrm)?,
        Map::Second => second(opcode),
        Map::Third => (true, 0),
        Map::Fourth => (true, 1),
    };
    Some(Operands { has_modrm, n_immediate })
}

/// Whether an address follows, and how many bytes of a constant.
fn plain(opcode: u8, full: usize, prefixes: Prefixes, modrm: Option<u8>) -> Option<(bool, usize)> {
    Some(match opcode {
        0x00..=0x3f => match opcode & 7 {
            0..=3 => (true, 0),
            4 => (false, 1),
            5 => (false, full),
            _ => return None,
        },
        0x50..=0x5f | 0x6c..=0x6f | 0x90..=0x99 | 0x9b..=0x9f | 0xa4..=0xa7 | 0xaa..=0xaf => (false, 0),
        0x63 | 0x84..=0x8f | 0xd0..=0xd3 | 0xd8..=0xdf | 0xfe | 0xff => (true, 0),
        0x68 | 0xa9 => (false, full),
        0x69 | 0x81 | 0xc7 => (true, full),
        0x6a | 0x70..=0x7f | 0xa8 | 0xb0..=0xb7 | 0xcd | 0xe0..=0xe7 | 0xeb => (false, 1),
        0x6b | 0x80 | 0x83 | 0xc0 | 0xc1 | 0xc6 => (true, 1),
        0xa0..=0xa3 => (false, if prefixes.has_short_addresses { 4 } else { 8 }),
        0xb8..=0xbf => (false, if prefixes.is_wide { 8 } else { full }),
        0xc2 | 0xca => (false, 2),
        0xc8 => (false, 3),
        0xc3 | 0xc9 | 0xcb | 0xcc | 0xcf | 0xd7 | 0xec..=0xef | 0xf1 | 0xf4 | 0xf5 | 0xf8..=0xfd => {
            (false, 0)
        }
        0xe8 | 0xe9 => (false, 4),
        // `test` alone of this group has a constant.
        0xf6 => (true, usize::from(modrm? >> 3 & 6 == 0)),
        0xf7 => (true, if modrm? >> 3 & 6 == 0 { full } else { 0 }),
        _ => return None,
    })
}

const fn second(opcode: u8) -> (bool, usize) {
    match opcode {
        0x05..=0x0b | 0x0e | 0x30..=0x37 | 0x77 | 0xa0..=0xa2 | 0xa8..=0xaa | 0xc8..=0xcf => (false, 0),
        0x70..=0x73 | 0xa4 | 0xac | 0xba | 0xc2 | 0xc4..=0xc6 => (true, 1),
        0x80..=0x8f => (false, 4),
        _ => (true, 0),
    }
}

/// The size of an address: the byte that says of what kind it is, perhaps a second one, and a distance.
fn address_size(code: &[u8]) -> Option<usize> {
    let modrm = *code.first()?;
    let (mode, base) = (modrm >> 6, modrm & 7);
    if mode == 3 {
        return Some(1);
    }
    let has_index = base == 4;
    let has_no_base = if has_index { code.get(1)? & 7 == 5 } else { base == 5 };
    let n_distance = match mode {
        0 if has_no_base => 4,
        0 => 0,
        1 => 1,
        _ => 4,
    };
    Some(1 + usize::from(has_index) + n_distance)
}

fn continuation(map: Map, opcode: u8, register: Option<u8>, immediate: &[u8]) -> Continuation {
    let distance = || match *immediate {
        [a] => i64::from(a as i8),
        [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
        _ => 0,
    };
    match (map, opcode, register) {
        (Map::Plain, 0x70..=0x7f | 0xe0..=0xe3, _) | (Map::Second, 0x80..=0x8f, None) => {
            Continuation::Branch(distance())
        }
        (Map::Plain, 0xe9 | 0xeb, _) => Continuation::Jump(distance()),
        (Map::Plain, 0xe8, _) => Continuation::Call(Some(distance())),
        (Map::Plain, 0xff, Some(2 | 3)) => Continuation::Call(None),
        (Map::Plain, 0xff, Some(4 | 5)) => Continuation::Computed,
        (Map::Plain, 0xc2 | 0xc3 | 0xca | 0xcb | 0xcc | 0xcf | 0xf4, _) | (Map::Second, 0x0b, _) => {
            Continuation::Leaves
        }
        _ => Continuation::Next,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_ways_are_those_of_the_processor() {
        use Continuation::{Branch, Call, Computed, Jump, Leaves, Next};
        let known: &[(&[u8], Continuation)] = &[
            (&[0x55], Next),                                        // push rbp
            (&[0x48, 0x89, 0xe5], Next),                            // mov rbp, rsp
            (&[0x66, 0xc7, 0x45, 0xfe, 0x01, 0x00], Next),          // mov word [rbp-2], 1
            (&[0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8], Next),          // movabs rax, ..
            (&[0x41, 0xb8, 1, 0, 0, 0], Next),                      // mov r8d, 1
            (&[0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0], Next),       // mov rax, [0x28]
            (&[0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0], Next), // mov rax, fs:[0x28]
            (&[0x8b, 0x05, 1, 2, 3, 4], Next),                      // mov eax, [rip+..]
            (&[0x43, 0xc6, 0x04, 0x23, 0x01], Next),                // mov byte [r11+r12], 1
            (&[0xf6, 0xc2, 0x01], Next),                            // test dl, 1
            (&[0xf7, 0xd8], Next),                                  // neg eax
            (&[0xf7, 0x45, 0xfc, 1, 0, 0, 0], Next),                // test dword [rbp-4], 1
            (&[0x69, 0xc0, 1, 0, 0, 0], Next),                      // imul eax, eax, 1
            (&[0x0f, 0xb6, 0xc0], Next),                            // movzx eax, al
            (&[0xf2, 0x0f, 0x58, 0x45, 0xf8], Next),                // addsd xmm0, [rbp-8]
            (&[0x66, 0x0f, 0x3a, 0x0b, 0xc0, 0x09], Next),          // roundsd
            (&[0xc5, 0xf8, 0x77], Next),                            // vzeroupper
            (&[0xc4, 0xe3, 0x7d, 0x19, 0xc1, 0x01], Next),          // vextractf128
            (&[0x62, 0xf1, 0x7c, 0x48, 0x28, 0x45, 0x01], Next),    // vmovaps zmm0, [rbp+64]
            (&[0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0], Next), // nop
            (&[0xe8, 0xfb, 0xff, 0xff, 0xff], Call(Some(-5))),      // call
            (&[0xff, 0xd0], Call(None)),                            // call rax
            (&[0xff, 0x15, 1, 0, 0, 0], Call(None)),                // call [rip+1]
            (&[0x74, 0xfe], Branch(-2)),                            // je
            (&[0x0f, 0x8f, 0x00, 0x01, 0, 0], Branch(256)),         // jg
            (&[0xeb, 0x10], Jump(16)),                              // jmp
            (&[0xe9, 0, 0, 1, 0], Jump(65536)),                     // jmp
            (&[0x3e, 0xff, 0xe0], Computed),                        // jmp rax
            (&[0xff, 0x24, 0xc5, 0, 0, 0, 0], Computed),            // jmp [rax*8]
            (&[0xc3], Leaves),                                      // ret
            (&[0xf3, 0xc3], Leaves),                                // rep ret
            (&[0x0f, 0x0b], Leaves),                                // ud2
        ];
        for (bytes, goes) in known {
            let size = bytes.len();
            let behind: Vec<u8> = bytes.iter().copied().chain([0x90; 8]).collect();
            assert_eq!(decode(&behind), Some(Instruction { size, goes: *goes }), "{bytes:x?}");
            assert_eq!(decode(&bytes[..size - 1]).filter(|it| it.size >= size), None, "{bytes:x?}");
        }
        assert_eq!(decode(&[0x06, 0, 0]), None, "there is no such instruction in 64-bit code");
    }
}
