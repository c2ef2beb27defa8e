//! Memory that a fuzzer shares with its target, under a number: where AFL++ wants to see which branches were
//! taken, and where it puts its input. Which of them is which, the target knows.

use std::ffi::{c_int, c_void};
use std::io;
use std::ptr::NonNull;
use std::slice;

/// A segment of shared memory, mapped as long as it lives.
#[derive(Debug)]
pub struct Segment {
    start: NonNull<u8>,
    len: usize,
}

impl Segment {
    /// Maps the segment with this number.
    ///
    /// # Errors
    /// If there is none, or it is empty.
    pub fn attach(number: i32) -> io::Result<Segment> {
        let len = size_of_segment(number)?;
        // SAFETY: the system chooses a place for the mapping, so nothing of this process is replaced.
        let start = unsafe { libc::shmat(number as c_int, std::ptr::null(), 0) };
        if start as isize == -1 {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::InvalidData)?;
        Ok(Segment { start, len })
    }

    /// What is in it.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes are mapped, and whoever shares them changes them only while the target waits.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// The same, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above; and nobody else has a reference to them, since this one is exclusive.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

fn size_of_segment(number: i32) -> io::Result<usize> {
    // SAFETY: zeros are a valid value of this struct of numbers.
    let mut about: libc::shmid_ds = unsafe { std::mem::zeroed() };
    // SAFETY: it fills in the struct, which is there.
    if unsafe { libc::shmctl(number as c_int, libc::IPC_STAT, &raw mut about) } == -1 {
        return Err(io::Error::last_os_error());
    }
    if about.shm_segsz == 0 {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(about.shm_segsz)
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: it was mapped here, and no reference into it outlives this value.
        unsafe { libc::shmdt(self.start.as_ptr().cast::<c_void>()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_mapping_writes_the_other_reads() {
        // SAFETY: it takes numbers only.
        let number = unsafe { libc::shmget(libc::IPC_PRIVATE, 4096, 0o600) };
        let (mut one, other) = (Segment::attach(number).unwrap(), Segment::attach(number).unwrap());
        // SAFETY: the segment ends with its last mapping; the struct is not needed for that.
        unsafe { libc::shmctl(number, libc::IPC_RMID, std::ptr::null_mut()) };
        one.bytes_mut()[17] = 4;
        assert_eq!((other.bytes()[17], other.bytes().len()), (4, 4096));
    }

    #[test]
    fn a_number_without_a_segment_is_an_error() {
        assert!(Segment::attach(-1).is_err());
    }
}
