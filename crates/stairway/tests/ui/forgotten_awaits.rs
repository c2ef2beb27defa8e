use stairway::prelude::*;

struct Mailbox(Vec<u8>);

impl Mailbox {
    async fn send(&mut self, v: u8) {
        self.0.push(v);
    }
    async fn receive(&mut self) -> Option<u8> {
        self.0.pop()
    }
    async fn len(&self) -> usize {
        self.0.len()
    }
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

struct Letters(Vec<u8>);

#[model(system = Mailbox)]
impl Letters {
    #[start]
    fn new() -> (Letters, Mailbox) {
        (Letters(Vec::new()), Mailbox(Vec::new()))
    }
    #[op]
    fn send(&mut self, v: u8) {
        self.0.push(v);
    }
    #[op]
    fn receive(&mut self) -> Option<u8> {
        self.0.pop()
    }
    #[op(call = system.len())]
    fn count(&mut self) -> usize {
        self.0.len()
    }
    #[op(awaits)]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[contract(of = Mailbox)]
trait MailboxContract {
    fn send(&mut self, v: u8);
    #[ensures(result.is_none() || self.0.len() < 9)]
    fn receive(&mut self) -> Option<u8>;
    async fn is_empty(&self) -> bool;
}

fn main() {}
