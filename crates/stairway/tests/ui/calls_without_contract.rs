struct Account(u64);

fn main() {
    stairway::calls::<Account>();
    let _ = Account(1).0;
}
