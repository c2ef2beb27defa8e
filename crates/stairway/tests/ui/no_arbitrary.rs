use stairway::prelude::*;

#[derive(Debug)]
struct Handle(u32);

#[derive(Debug, Arbitrary)]
struct Session {
    handle: Handle,
}

fn main() {
    stairway::check(|t| {
        let session = t.pick(any::<Session>())?;
        assert!(session.handle.0 < 10);
        Ok(())
    });
}
