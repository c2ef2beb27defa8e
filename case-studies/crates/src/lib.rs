//! Published crates beside what their documentation says; all of it is in the tests.
