//! How large the sections of an image are, whatever processor it is for: the `size` of one machine does not
//! read images of another.

use std::path::Path;

/// The bytes of a section of an ELF file; 0 if it has none of this name.
///
/// # Errors
/// If the file cannot be read as one.
pub fn size(image: &Path, name: &str) -> Result<u64, String> {
    let bytes = std::fs::read(image).map_err(|error| format!("{}: {error}", image.display()))?;
    let file = Elf { is_wide: bytes.get(4) == Some(&2), bytes };
    file.size(name).ok_or_else(|| format!("{} is no ELF file", image.display()))
}

struct Elf {
    bytes: Vec<u8>,
    /// Whether addresses have 64 bits.
    is_wide: bool,
}

impl Elf {
    /// A number of so many bytes.
    fn number(&self, at: u64, n_bytes: usize) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(n_bytes)?)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// An address or a size, which begins at one place in narrow files and at another in wide ones.
    fn word(&self, narrow: u64, wide: u64) -> Option<u64> {
        if self.is_wide { self.number(wide, 8) } else { self.number(narrow, 4) }
    }

    fn half(&self, narrow: u64, wide: u64) -> Option<u64> {
        self.number(if self.is_wide { wide } else { narrow }, 2)
    }

    fn size(&self, name: &str) -> Option<u64> {
        let (table, entry) = (self.word(32, 40)?, self.half(46, 58)?);
        let (n, names) = (self.half(48, 60)?, self.half(50, 62)?);
        let names = self.contents(table + names * entry)?;
        for k in 0..n {
            let header = table + k * entry;
            let at = usize::try_from(names + self.number(header, 4)?).ok()?;
            let bytes = self.bytes.get(at..)?;
            if bytes.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&0)) {
                return self.word(header + 20, header + 32);
            }
        }
        Some(0)
    }

    /// Where the contents of the section with this header begin.
    fn contents(&self, header: u64) -> Option<u64> {
        self.word(header + 16, header + 24)
    }
}

#[cfg(test)]
mod tests {
    use super::size;
    use std::path::Path;

    #[test]
    fn this_program_has_code_and_nothing_of_another_name() {
        let program = std::env::current_exe().expect("this program");
        assert!(size(&program, ".text").expect("an ELF file") > 1000);
        assert_eq!(size(&program, ".tex"), Ok(0));
        assert!(size(Path::new(file!()), ".text").is_err());
    }
}
