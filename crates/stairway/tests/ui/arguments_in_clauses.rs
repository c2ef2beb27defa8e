use stairway::prelude::*;

pub struct Ticket(u8);

pub struct Desk(Vec<Ticket>);

impl Desk {
    pub fn hand_in(&mut self, ticket: Ticket) {
        self.0.push(ticket);
    }
}

#[contract(of = Desk)]
trait DeskContract {
    #[ensures(self.0.len() == usize::from(ticket.0))]
    fn hand_in(&mut self, ticket: Ticket);
}

#[contract(of = Desk)]
trait WithOld {
    #[ensures(self.0.len() == usize::from(old(ticket.0)))]
    fn hand_in(&mut self, ticket: Ticket);
}

fn main() {}
