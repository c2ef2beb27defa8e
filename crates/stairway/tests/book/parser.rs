/// Stands for a decoder written in C: a wrong length ends the process.
pub fn decode(frame: &[u8]) -> usize {
    match frame {
        [length, rest @ ..] if usize::from(*length) > rest.len() + 100 => {
            println!("length {length}, but only {} bytes", rest.len());
            std::process::abort()
        }
        [length, ..] => usize::from(*length),
        [] => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway::prelude::*;

    #[property(timeout = "1s")] #[ignore]
    fn decoding_ends_well(frame: Vec<u8>) {
        decode(&frame);
    }
}
