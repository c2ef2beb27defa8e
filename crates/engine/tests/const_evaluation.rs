//! Users rely on the choice stream in const evaluation: a property can be checked while the
//! program is compiled, on the very same stream that tests draw from at run time.

use stairway_engine::{Choice, Choices, FULL_SIZE, Halt, Label, Prng, Source, Span};

const N: usize = 8;

/// A random array, generated where it is called: by the compiler or by the program.
const fn array(choices: &mut Choices<'_>) -> [i64; N] {
    let mut values = [0; N];
    choices.open(Label::Value("array"));
    let mut i = 0;
    while i < N {
        values[i] = choices.signed(-100, 100, 0);
        i += 1;
    }
    choices.close();
    values
}

const fn random(seed: u64) -> Choices<'static> {
    Choices::new(Source::Random(Prng::new(seed)), FULL_SIZE)
}

/// The code under test: insertion sort.
const fn sorted(mut values: [i64; N]) -> [i64; N] {
    let mut i = 1;
    while i < N {
        let mut k = i;
        while k > 0 && values[k - 1] > values[k] {
            (values[k - 1], values[k]) = (values[k], values[k - 1]);
            k -= 1;
        }
        i += 1;
    }
    values
}

const fn is_sorted(values: &[i64; N]) -> bool {
    let mut i = 1;
    while i < N {
        if values[i - 1] > values[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Sorting sorts: were it not so, this file would not compile.
const _: () = {
    let mut seed = 0;
    while seed < 100 {
        assert!(is_sorted(&sorted(array(&mut random(seed)))));
        seed += 1;
    }
};

/// The first seed whose array is not sorted to begin with, found by the compiler.
const UNSORTED: u64 = {
    let mut seed = 0;
    while is_sorted(&array(&mut random(seed))) {
        seed += 1;
    }
    seed
};

#[test]
fn the_compiler_draws_what_the_program_draws() {
    const DRAWN: [i64; N] = array(&mut random(UNSORTED));
    assert_eq!(DRAWN, array(&mut random(UNSORTED)));
    assert!(!DRAWN.is_sorted());
}

/// Records are kept in const evaluation as well, in borrowed buffers, and replay.
#[test]
fn the_compiler_records_and_replays() {
    const RECORD: ([Choice; N], [Span; 1], [i64; N]) = {
        let (mut choices, mut spans) = ([Choice::BLANK; N], [Span::BLANK; 1]);
        let values = array(&mut random(UNSORTED).recording(&mut choices, &mut spans));
        (choices, spans, values)
    };
    const REPLAYED: [i64; N] = {
        let source = Source::Replay { choices: &RECORD.0, spans: Some(&RECORD.1), bound: u64::MAX };
        array(&mut Choices::new(source, FULL_SIZE))
    };
    assert_eq!(REPLAYED, RECORD.2);
    assert_eq!((RECORD.1[0].start, RECORD.1[0].end, RECORD.1[0].label), (0, N as u32, Label::Value("array")));
}

/// Past the end of a buffer the stream ends instead of growing.
const _: () = {
    let (mut choices, mut spans) = ([Choice::BLANK; N - 1], [Span::BLANK; 1]);
    let mut stream = random(UNSORTED).recording(&mut choices, &mut spans);
    array(&mut stream);
    assert!(matches!(stream.halted(), Some(Halt::Overrun)));
};
