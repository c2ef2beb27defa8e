//! Machines that are written with given names for everything that has a name of the user's.

/// Machines whose states, operations, results and data have fields of these names, with a driver and
/// properties. The fields are of type `bool`, so that all arguments are tried quickly.
macro_rules! fields {
    ($($group:ident: $first:ident $($name:ident)*;)*) => { mod fields {$(
        mod $group {
            use stairway::prelude::*;

            #[machine(start = Off { $first: false $(, $name: false)* })]
            pub mod named {
                pub enum State { Off { $first: bool $(, $name: bool)* }, On { $first: bool, $($name: bool,)* inside: Data } }
                pub enum Op { Set { $first: bool, $($name: bool,)* ret: Reply }, Back { inside: Data }, Same { #[ret] $first: Reply } }
                pub enum Reply { Yes { $first: bool $(, $name: bool)* }, No }
                pub struct Data { pub $first: bool $(, pub $name: bool)* }
                fn next(before: State, what: Op) -> State {
                    match (before, what) {
                        (Off { .. }, Set { $first, $($name,)* ret: Yes { .. } }) if $first $(&& $name)* => {
                            On { $first, $($name,)* inside: Data { $first $(, $name)* } }
                        }
                        (Off { $first $(, $name)* }, Set { ret: No, .. }) => Off { $first $(, $name)* },
                        (On { .. }, Back { inside }) if inside.$first $(&& inside.$name)* => {
                            Off { $first: true $(, $name: true)* }
                        }
                        (On { $first, $($name,)* inside }, Same { .. }) => On { $first, $($name,)* inside },
                    }
                }
            }

            temporal! { returns in named: always(can_reach(at(Off { $first: true $(, $name: true)* }))) }
            temporal! {
                set in named, proved:
                always(implies(after(Set { $first: true, $($name: _,)* ret: Yes { .. } }), at(On { $first, $($name: true,)* .. } if $first)))
            }

            struct Real;
            impl named::Driver for Real {
                fn set(&mut self, $first: bool $(, $name: bool)*) -> named::Reply {
                    let is_set = $first $(&& $name)*;
                    if is_set { named::Reply::Yes { $first $(, $name)* } } else { named::Reply::No }
                }
                fn back(&mut self, _: named::Data) {}
                fn same(&mut self) -> named::Reply { named::Reply::No }
            }

            #[test]
            fn works() {
                let off = named::start();
                assert!(!(off.$first $(|| off.$name)*));
                named::test(|| Real).cases(5).run();
            }
        }
    )*}};
}

/// Machines with operations of these names.
macro_rules! operations {
    ($($group:ident: $($name:ident $method:ident),*;)*) => { mod operations {$(
        mod $group {
            use stairway::prelude::*;

            #[machine(start = Idle)]
            pub mod named {
                pub enum State { Idle }
                pub enum Op { $($name),* }
                fn next(before: State, what: Op) -> State {
                    match (before, what) { (Idle, $($name)|*) => Idle }
                }
            }

            temporal! { stays in named, proved: always(at(Idle)) }

            struct Obedient;
            impl named::Driver for Obedient { $(fn $method(&mut self) {})* }

            #[test]
            fn works() {
                let handle = named::start();
                $(let handle = handle.$method();)*
                drop(handle);
                named::test(|| Obedient).cases(5).run();
            }
        }
    )*}};
}
