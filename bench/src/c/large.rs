//! A C file of 100,000 lines without contracts, for measuring how the front end grows with a program.
//!
//! It is made of modules of about a hundred lines that differ in names and numbers: lists, tables, hashes,
//! parsers, means, as programs have them.

use std::fmt::Write;

/// How many lines it has at least.
pub(crate) const LINES: usize = 100_000;

/// The file.
pub(crate) fn text() -> String {
    let mut text = String::from(
        "#include <ctype.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n",
    );
    let one = module(0).lines().count();
    for k in 0..LINES.div_ceil(one) {
        text.push_str(&module(k));
    }
    text
}

fn module(k: usize) -> String {
    let mut text = String::new();
    let (room, divisor, gap) = (8 << (k % 3), 2 + k % 7, 100 + k % 899);
    let (start, factor, mask) =
        (2_166_136_261 - k as u64, (16_777_619 + 2 * k as u64), 0xedb8_8320 - k as u64);
    let _ = write!(
        text,
        r"
struct node{k} {{
    struct node{k} *next;
    int key;
    char name[{room}];
    double weight;
}};

static struct node{k} *pool{k};
static unsigned n_nodes{k};

static int compare{k}(const struct node{k} *a, const struct node{k} *b)
{{
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return strcmp(a->name, b->name);
}}

struct node{k} *insert{k}(struct node{k} *list, int key, const char *name)
{{
    struct node{k} *new = malloc(sizeof *new);
    struct node{k} **at = &list;
    if (!new)
        return list;
    new->key = key;
    new->weight = key / {divisor}.0;
    strncpy(new->name, name, sizeof new->name - 1);
    new->name[sizeof new->name - 1] = 0;
    while (*at && compare{k}(*at, new) < 0)
        at = &(*at)->next;
    new->next = *at;
    *at = new;
    n_nodes{k}++;
    return list;
}}

int find{k}(const struct node{k} *list, int key)
{{
    int place = 0;
    for (; list; list = list->next, place++) {{
        switch (list->key - key) {{
        case 0:
            return place;
        case {gap}:
            place += 2;
            break;
        default:
            if (list->key > key)
                return -1;
        }}
    }}
    return -1;
}}

uint32_t hash{k}(const char *text, size_t n)
{{
    uint32_t h = {start}u;
    for (size_t i = 0; i < n; i++) {{
        h ^= (unsigned char)text[i];
        h *= {factor}u;
        if (h & 1)
            h = (h >> 1) ^ {mask}u;
    }}
    return h;
}}

long parse{k}(const char *s, char **end)
{{
    long value = 0;
    int sign = 1;
    while (isspace((unsigned char)*s))
        s++;
    if (*s == '-' || *s == '+')
        sign = *s++ == '-' ? -1 : 1;
    while (isdigit((unsigned char)*s)) {{
        int digit = *s - '0';
        if (value > (INT32_MAX - digit) / 10)
            break;
        value = value * 10 + digit;
        s++;
    }}
    if (end)
        *end = (char *)s;
    return sign * value;
}}

double mean{k}(const double *xs, int n)
{{
    double sum = 0, min = 1e300, max = -1e300;
    for (int i = 0; i < n; i++) {{
        sum += xs[i];
        if (xs[i] < min)
            min = xs[i];
        if (xs[i] > max)
            max = xs[i];
    }}
    return n > 2 ? (sum - min - max) / (n - 2) : n ? sum / n : 0;
}}

void clear{k}(void)
{{
    while (pool{k}) {{
        struct node{k} *next = pool{k}->next;
        free(pool{k});
        pool{k} = next;
        n_nodes{k}--;
    }}
}}
"
    );
    text
}
