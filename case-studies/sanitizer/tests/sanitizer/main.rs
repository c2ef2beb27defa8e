//! C that is linked into the test, watched by AddressSanitizer.

#[cfg(has_sanitizer)]
mod ring;

#[cfg(not(has_sanitizer))]
#[test]
#[ignore = "SKIPPED: the C compiler cannot link with -fsanitize=address; install libasan and build again"]
fn ring() {}
