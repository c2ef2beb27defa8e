//! Text in const evaluation: a buffer that grows up to a limit and then shows that it was cut.

/// How long a text may become.
const CAPACITY: usize = 12 * 1024;

/// A text that is written piece by piece, also in const evaluation.
///
/// ```
/// use stairway_machine::Text;
/// const HELLO: Text = {
///     let mut text = Text::new();
///     text.str("n = ");
///     text.int(-3);
///     text
/// };
/// assert_eq!(HELLO.as_str(), "n = -3");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Text {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Default for Text {
    fn default() -> Self {
        Text::new()
    }
}

impl Text {
    /// No text yet.
    #[must_use]
    pub const fn new() -> Self {
        Text { bytes: [0; CAPACITY], len: 0 }
    }

    /// How many bytes there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing was written.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether another text is the same.
    #[must_use]
    pub const fn is_same(&self, other: &Text) -> bool {
        let mut i = 0;
        while i < self.len && i < other.len && self.bytes[i] == other.bytes[i] {
            i += 1;
        }
        self.len == other.len && i == self.len
    }

    /// Adds a piece; what does not fit is left out, whole.
    pub const fn str(&mut self, piece: &str) {
        let piece = piece.as_bytes();
        if self.len + piece.len() > CAPACITY {
            return;
        }
        let mut i = 0;
        while i < piece.len() {
            self.bytes[self.len] = piece[i];
            self.len += 1;
            i += 1;
        }
    }

    /// Adds a whole number.
    pub const fn int(&mut self, n: i128) {
        if n < 0 {
            self.str("-");
        }
        self.uint(n.unsigned_abs());
    }

    /// Adds a whole number that may be as large as there are.
    pub const fn uint(&mut self, mut n: u128) {
        let (mut digits, mut k) = ([0u8; 40], 0);
        loop {
            digits[k] = b'0' + (n % 10) as u8;
            k += 1;
            n /= 10;
            if n == 0 {
                break;
            }
        }
        while k > 0 {
            k -= 1;
            if self.len < CAPACITY {
                self.bytes[self.len] = digits[k];
                self.len += 1;
            }
        }
    }

    /// Adds a character in quotes.
    pub const fn char(&mut self, c: char) {
        let mut bytes = [0; 4];
        self.str("'");
        self.str(c.encode_utf8(&mut bytes));
        self.str("'");
    }

    /// Adds a float, to six digits after the point.
    pub const fn float(&mut self, f: f64) {
        if f.is_nan() {
            return self.str("NaN");
        }
        if f < 0.0 {
            self.str("-");
        }
        let f = f.abs();
        if f > 1e30 {
            return self.str("(very large)");
        }
        let whole = f as u128;
        self.uint(whole);
        let mut rest = ((f - whole as f64) * 1e6) as u64;
        if rest == 0 {
            return self.str(".0");
        }
        self.str(".");
        let mut place = 100_000;
        while rest > 0 {
            self.uint((rest / place) as u128);
            rest %= place;
            place /= 10;
        }
    }

    /// Adds spaces until `width` bytes stand after position `from`.
    pub const fn pad(&mut self, from: usize, width: usize) {
        while self.len < from + width && self.len < CAPACITY {
            self.str(" ");
        }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "(a text that cannot be shown)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_rust_writes_them() {
        let mut text = Text::new();
        text.int(i128::MIN);
        text.str(" ");
        text.uint(u128::MAX);
        text.str(" ");
        text.float(-1.25);
        text.str(" ");
        text.float(2.000_001);
        text.char('ä');
        assert_eq!(text.as_str(), alloc::format!("{} {} -1.25 2.000001'ä'", i128::MIN, u128::MAX));
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let mut text = Text::new();
        for _ in 0..CAPACITY {
            text.str("äö");
        }
        text.uint(7);
        assert_eq!(text.len(), CAPACITY);
        assert!(text.as_str().ends_with('ö'));
    }
}
