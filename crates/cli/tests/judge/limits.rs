//! Limits of the runtime: out of the way of right programs, and noted where they are met.

use crate::support::hunt;

#[test]
fn all_pieces_of_a_leak_are_counted() {
    let code = "#include <stdlib.h>\nint lose(int n)\n/*@ ensures return == n; @*/\n\
                { for (int i = 0; i < 37; i++) if (!malloc(1)) return -1; return n; }\n";
    hunt(code, &["--calls", "200"]).fails().says("`lose` loses 37 bytes in 37 blocks");
}

#[test]
fn more_undefined_arithmetic_than_is_listed_is_noted() {
    let sums: String = (2..=21).map(|k| format!("  s += x * {k};\n")).collect();
    let code = format!("long many(int x)\n{{\n  long s = 0;\n{sums}  return s;\n}}\n");
    hunt(&code, &["--calls", "500", "--ub=memory"])
        .passes()
        .says("note: not checked: in `many`, undefined arithmetic at more than 16 places of one call, in ");
}

#[test]
fn a_hundred_maps_at_a_time_are_the_codes_own() {
    let code = "#include <sys/mman.h>\nint maps(int n)\n/*@ ensures return == n; @*/\n\
                { char *all[100]; for (int i = 0; i < 100; i++) all[i] = mmap(0, 4096, 3, 0x22, -1, 0);\n\
                  for (int i = 0; i < 100; i++) all[i][5] = 1;\n\
                  for (int i = 0; i < 100; i++) munmap(all[i], 4096);\n  return n; }\n";
    hunt(code, &["--calls", "100"]).passes();
}

#[test]
fn a_list_is_walked_by_recursion_a_hundred_contracts_deep() {
    let code = "#include <stdlib.h>\nstruct node { struct node *next; };\n\
        /*@ predicate (u64) List(pointer p) { if (is_null(p)) { return 0u64; } else {\n\
          take N = RW<struct node>(p); take L = List(N.next); return L + 1u64; } } @*/\n\
        unsigned long length(struct node *t)\n\
        /*@ requires take N = List(t); ensures take M = List(t); M == N; return == N; @*/\n\
        { return t ? length(t->next) + 1 : 0; }\n\
        unsigned long hundred(void)\n/*@ ensures return == 100u64; @*/\n\
        { struct node *t = 0; for (int i = 0; i < 100; i++) { struct node *p = malloc(sizeof *p); if (!p) exit(1); p->next = t; t = p; }\n\
          unsigned long n = length(t); while (t) { struct node *next = t->next; free(t); t = next; } return n; }\n";
    hunt(code, &["--calls", "20", "--only", "hundred"]).passes().does_not_say("not checked");
}
