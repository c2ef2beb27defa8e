//! Right programs pass, whatever they do.

use stairway_c::machine::Settings;

use crate::support::{Value, program, program_with};

#[track_caller]
fn passes(text: &str, expected: i32) {
    let mut p = program(text);
    for _ in 0..2 {
        assert_eq!(p.int("test", &[]), Ok(expected));
        let report = p.machine.report();
        assert_eq!(report.notes, [], "undefined arithmetic");
        assert_eq!(report.uninitialised, None, "uninitialised");
        p.machine.reset();
    }
}

#[test]
fn padding_may_be_copied() {
    passes(
        r"
        #include <stdlib.h>
        #include <string.h>
        struct s { char c; int i; short h; };
        struct big { struct s a[9]; char end; };
        int test(void) {
            struct s *p = malloc(sizeof *p), *q = malloc(sizeof *q);
            p->c = 1; p->i = 2; p->h = 3;
            *q = *p;
            struct big *b = malloc(sizeof *b), *c = calloc(1, sizeof *c);
            b->a[3] = *q; b->end = 4;
            *c = *b;
            memcpy(b, c, sizeof *b);
            char *from = (char *)p, *to = (char *)q;
            for (unsigned k = 0; k < sizeof *p; k++) to[k] = from[k];
            int sum = q->c + q->i + q->h + b->a[3].i + b->end;
            free(p); free(q); free(b); free(c);
            return sum;
        }",
        12,
    );
}

#[test]
fn realloc_keeps_and_strings_work() {
    passes(
        r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
        int test(void) {
            int *a = malloc(4 * sizeof *a);
            for (int i = 0; i < 4; i++) a[i] = 4 - i;
            a = realloc(a, 400 * sizeof *a);
            for (int i = 4; i < 400; i++) a[i] = -i;
            qsort(a, 400, sizeof *a, by_value);
            if (a[0] != -399 || a[399] != 4) return 1;
            free(a);
            char *s = strdup("hello"), *t = malloc(32);
            strcpy(t, s); strcat(t, ", "); strncat(t, "worldly", 5);
            if (strcmp(t, "hello, world") || strlen(t) != 12 || strchr(t, 'w') != t + 7 || strstr(t, "lo,") != t + 3) return 2;
            if (snprintf(t, 8, "%s %d", s, 12345) != 11 || strcmp(t, "hello 1")) return 3;
            sprintf(t, "%5.2f", 3.14159);
            if (strcmp(t, " 3.14") || atoi("42") != 42 || strtol("ff", 0, 16) != 255) return 4;
            char words[] = "a bc,d";
            int n = 0;
            for (char *w = strtok(words, " ,"); w; w = strtok(0, " ,")) n += (int)strlen(w);
            char *line = 0; size_t size = 0;
            FILE *f = tmpfile();
            if (f) { fputs("first\nsecond\n", f); rewind(f); n += (int)getline(&line, &size, f); fclose(f); } else n += 6;
            free(line); free(s); free(t);
            printf("%d\n", n);
            return n;
        }"#,
        10,
    );
}

#[test]
fn statics_are_reset_and_everyday_c_runs() {
    passes(
        r#"
        #include <ctype.h>
        #include <errno.h>
        #include <math.h>
        #include <setjmp.h>
        #include <stdarg.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        #include <string.h>
        #include <time.h>
        static int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }
        static int count(void) { static int calls; return ++calls; }
        static jmp_buf env;
        static void jump(int v) { longjmp(env, v); }
        static int (*table[])(void) = { count };
        union u { int i; float f; unsigned char b[4]; };
        struct bits { unsigned a : 3, b : 7; signed c : 5; };
        static atomic_int shared;
        static _Thread_local int own = 3;
        static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int test(void) {
            if (sum(3, 1, 2, 3) != 6) return 1;
            if (table[0]() != 1 || count() != 2) return 2;
            volatile int jumped = 0;
            if (setjmp(env) == 0) jump(5); else jumped = 1;
            if (!jumped) return 3;
            union u x = { .f = 1.0f };
            if (x.i != 0x3f800000 || x.b[3] != 0x3f) return 4;
            struct bits *b = malloc(sizeof *b);
            b->a = 5; b->b = 100; b->c = -3;
            if (b->a + b->b + b->c != 102) return 5;
            free(b);
            atomic_fetch_add(&shared, 4);
            if (atomic_load(&shared) != 4 || ++own != 4) return 6;
            errno = 0;
            if (strtol("x", 0, 10) != 0 || errno != 0 || !isalpha('a') || toupper('a') != 'A') return 7;
            time_t t = time(0);
            struct tm *m = gmtime(&t);
            if (m->tm_year < 100) return 8;
            if (fabs(sqrt(2.0) * sqrt(2.0) - 2.0) > 1e-9) return 9;
            if ((char)200 > 0) return 10; /* signed, as the compiler has it */
            int n = fib(12), vla[n];
            for (int i = 0; i < n; i++) vla[i] = i;
            const char *name = strerror(ENOENT);
            if (!name[0]) return 11;
            srand(7); int r = rand(); srand(7);
            if (r != rand()) return 12;
            return vla[n - 1];
        }"#,
        143,
    );
}

#[test]
fn constructors_and_several_files_work() {
    let a = r"
        #include <stdlib.h>
        int *shared; static int local(void) { return 1; }
        __attribute__((constructor)) static void make(void) { shared = malloc(sizeof *shared); *shared = 40; }
        int other(int); int main(void) { return 0; }
        int test(void) { return other(local()) + (*shared)++; }";
    let b = "static int local(void) { return 2; } int other(int x) { return x + local(); } int main(void) { return 1; }";
    let mut p = program_with(&[a, b], &stairway_c::build::Settings::default(), Settings::default());
    for _ in 0..3 {
        assert_eq!(p.int("test", &[]), Ok(43));
        p.machine.reset();
    }
    assert_eq!(p.machine.symbols().iter().filter(|s| s.name == "local").count(), 2);
}

#[test]
fn garbage_that_matters_shows_in_a_second_run() {
    let text = r"
        #include <stdlib.h>
        struct s { char c; int i; };
        int decides(void) { int *p = malloc(4); int r = 0; if (*p == 0) r = 1; free(p); return r; }
        int copies(void) { struct s *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->i = 1; *b = *a; int r = b->i; free(a); free(b); return r; }
        int moves(int n) { int *a = malloc(16), *b = malloc(16); a[0] = 5; for (int i = 0; i < 4; i++) b[i] = a[i]; int r = b[0]; return r; }
        int local(int x) { int y; int *volatile p = &y; if (x) *p = 1; if (*p) return 7; return 8; }
    ";
    let mut p = program(text);
    let mut run = |name: &str, argument: i32, fill: u64| {
        p.machine.reset();
        p.machine.configure(Settings { fill, ..Settings::default() });
        let result = p.int(name, &[argument]).expect("returns");
        ((p.machine.flow(), result), p.machine.report())
    };
    let (seen, report) = run("decides", 0, 1);
    assert!(report.uninitialised.as_ref().is_some_and(|u| u.n_reads == 1 && u.pc.is_some()));
    assert_ne!(seen, run("decides", 0, 0).0);
    for name in ["copies", "moves"] {
        let (seen, report) = run(name, 0, 1);
        assert_eq!(report.uninitialised, None, "{name}");
        assert_eq!(seen, run(name, 0, 0).0, "{name}");
    }
    assert_ne!(run("local", 0, 1).0, run("local", 0, 0).0);
    assert_eq!(run("local", 1, 1).0, run("local", 1, 0).0);
}

#[test]
fn the_same_sequence_has_the_same_addresses_and_flow() {
    let text = "#include <stdlib.h>\nvoid *get(int n) { return n > 5 ? malloc(n) : calloc(n, 1); }";
    let mut seen = Vec::new();
    for _ in 0..2 {
        let mut p = program(text);
        let mut addresses = Vec::new();
        for n in [3, 9, 100] {
            addresses.push((p.pointer("get", &[Value::I32(n)]).expect("returns"), p.machine.flow()));
        }
        seen.push(addresses);
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn plain_objects_run_too() {
    let text = "#include <stdlib.h>\nint test(void) { int *p = malloc(4); *p = 3; int r = *p; free(p); return r; } int bad(void) { return *(volatile int *)8; }";
    let settings = stairway_c::build::Settings { instrument: false, ..Default::default() };
    let mut p = program_with(&[text], &settings, Settings::default());
    assert!(!p.built.is_instrumented);
    assert_eq!(p.int("test", &[]), Ok(3));
    assert!(p.int("bad", &[]).is_err());
}

#[test]
fn scanning_and_files_work() {
    passes(
        r#"
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        struct r { int n; long m; double d; char s[8]; char c; };
        int test(void) {
            struct r *r = malloc(sizeof *r);
            if (sscanf("12 34 x 5.5 word!", "%d %ld %*c %lf %4s%c", &r->n, &r->m, &r->d, r->s, &r->c) != 5) return 1;
            int sum = r->n + (int)r->m + (int)r->d + (int)strlen(r->s) + (r->c == '!');
            free(r);
            if (close(0) != -1 || dup2(1, 0) != -1) return 2;
            for (int i = 0; i < 20; i++) { int fd = open("/dev/null", O_RDONLY); if (fd < 0) return 3; char b[4]; if (read(fd, b, 4) != 0) return 4; }
            fclose(stdout);
            puts("still there");
            int c = getchar();
            return sum + (c == EOF);
        }"#,
        57,
    );
}

#[test]
fn large_tables_are_reset_too() {
    let text = r#"
        #include <string.h>
        static char zeros[1 << 20]; static int ones[1 << 15] = { 1, 2, 3, [20000] = 4 };
        int test(void) {
            int seen = zeros[77777] + zeros[500000] + ones[2] + ones[20000] + ones[30000];
            zeros[77777] = 1; memset(zeros + 400000, 1, 200000); ones[2]++; ones[20000]++; ones[30000]++;
            return seen;
        }"#;
    passes(text, 7);
    let mut p = program(text);
    let zeros = p.machine.symbol("zeros").expect("there").address;
    assert!(p.machine.write(zeros + 77777, &[5]));
    assert_eq!(p.int("test", &[]), Ok(12));
    p.machine.reset();
    assert_eq!(p.int("test", &[]), Ok(7));
}

/// The compiler does not announce the write when a struct is returned into memory.
#[test]
fn returned_structs_count_as_written() {
    let text = r"
        #include <stdlib.h>
        #include <time.h>
        struct p { int a; int b; }; struct big { long a[5]; char c; };
        static struct p pair(int x) { return (struct p){ x, 0 }; }
        static struct big many(int x) { struct big b = { { x, 1 }, 2 }; return b; }
        void *make(int k) {
            struct p *p = malloc(sizeof *p); *p = pair(k);
            struct big *b = malloc(sizeof *b); *b = many(k);
            struct tm *t = malloc(sizeof *t); time_t now = 0; gmtime_r(&now, t);
            return k == 0 ? (void *)p : k == 1 ? (void *)b : (void *)t;
        }
        int test(void) { struct p *p = make(0); struct big *b = make(1); struct tm *t = make(2); if (p->b) return 1; if (b->a[3]) return 2; return t->tm_sec; }";
    passes(text, 0);
    let mut p = program(text);
    for (k, size) in [(0, 8), (1, 41), (2, 36)] {
        let address = p.pointer("make", &[Value::I32(k)]).expect("returns");
        assert!(p.machine.is_initialised(stairway_c::machine::Range { address, size }), "{k}");
    }
}
