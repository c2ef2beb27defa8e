// expect: pass
/*
 * A small library as one finds them: no contracts, written with care. Text that grows, a map from strings to
 * strings, a tokenizer for JSON, and a reader that flattens a document into a map. Runs with the default
 * checks alone, whatever its functions are called with.
 */
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- text */

struct text {
    size_t length;
    size_t capacity;
    char *chars; /* always terminated */
};

enum { TEXT_START = 16, TEXT_MAX = 1 << 20 };

struct text *text_new(void)
{
    struct text *t = malloc(sizeof *t);
    if (!t) return NULL;
    t->chars = malloc(TEXT_START);
    if (!t->chars) {
        free(t);
        return NULL;
    }
    t->length = 0;
    t->capacity = TEXT_START;
    t->chars[0] = '\0';
    return t;
}

void text_free(struct text *t)
{
    if (!t) return;
    free(t->chars);
    free(t);
}

/* Makes room for so many more characters and the end. */
static bool text_reserve(struct text *t, size_t more)
{
    if (!t || more > TEXT_MAX || t->length > TEXT_MAX - more) return false;
    size_t needed = t->length + more + 1;
    if (needed <= t->capacity) return true;
    size_t capacity = t->capacity;
    while (capacity < needed) capacity *= 2;
    char *chars = realloc(t->chars, capacity);
    if (!chars) return false;
    t->chars = chars;
    t->capacity = capacity;
    return true;
}

bool text_add_char(struct text *t, char c)
{
    if (c == '\0' || !text_reserve(t, 1)) return false;
    t->chars[t->length++] = c;
    t->chars[t->length] = '\0';
    return true;
}

bool text_add(struct text *t, const char *more)
{
    if (!more) return false;
    size_t n = strlen(more);
    /* `more` may be the text itself, which moves when it grows. */
    bool is_own = t && more >= t->chars && more <= t->chars + t->length;
    size_t offset = is_own ? (size_t)(more - t->chars) : 0;
    if (!text_reserve(t, n)) return false;
    memmove(t->chars + t->length, is_own ? t->chars + offset : more, n);
    t->length += n;
    t->chars[t->length] = '\0';
    return true;
}

bool text_add_number(struct text *t, long number)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%ld", number);
    return n > 0 && (size_t)n < sizeof digits && text_add(t, digits);
}

void text_cut(struct text *t, size_t length)
{
    if (!t || length >= t->length) return;
    t->length = length;
    t->chars[length] = '\0';
}

const char *text_chars(const struct text *t)
{
    return t ? t->chars : "";
}

size_t text_length(const struct text *t)
{
    return t ? t->length : 0;
}

static char *copy_of(const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = malloc(n);
    if (copy) memcpy(copy, s, n);
    return copy;
}

/* ----------------------------------------------------------------------------------------------- map */

struct entry {
    uint32_t hash;
    char *key; /* NULL if the slot is free */
    char *value;
};

struct map {
    size_t n_used;
    size_t n_slots; /* a power of two */
    struct entry *slots;
};

enum { MAP_START = 4, MAP_MAX = 1 << 16 };

static uint32_t hash_of(const char *key)
{
    uint32_t hash = 2166136261u;
    for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash;
}

struct map *map_new(void)
{
    struct map *m = malloc(sizeof *m);
    if (!m) return NULL;
    m->slots = calloc(MAP_START, sizeof *m->slots);
    if (!m->slots) {
        free(m);
        return NULL;
    }
    m->n_used = 0;
    m->n_slots = MAP_START;
    return m;
}

void map_free(struct map *m)
{
    if (!m) return;
    for (size_t i = 0; i < m->n_slots; i++) {
        free(m->slots[i].key);
        free(m->slots[i].value);
    }
    free(m->slots);
    free(m);
}

/* The slot of a key, or the free one in which it would stand; there always is one. */
static struct entry *map_slot(const struct map *m, const char *key, uint32_t hash)
{
    size_t mask = m->n_slots - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        struct entry *e = &m->slots[i];
        if (!e->key || (e->hash == hash && strcmp(e->key, key) == 0)) return e;
    }
}

static bool map_grow(struct map *m)
{
    if (m->n_slots >= MAP_MAX) return false;
    struct map larger = { m->n_used, 2 * m->n_slots, calloc(2 * m->n_slots, sizeof *m->slots) };
    if (!larger.slots) return false;
    for (size_t i = 0; i < m->n_slots; i++) {
        struct entry *e = &m->slots[i];
        if (e->key) *map_slot(&larger, e->key, e->hash) = *e;
    }
    free(m->slots);
    *m = larger;
    return true;
}

bool map_put(struct map *m, const char *key, const char *value)
{
    if (!m || !key || !value) return false;
    if (4 * (m->n_used + 1) > 3 * m->n_slots && !map_grow(m)) return false;
    /* Copied before anything is freed: the value may come from the map. */
    char *new_value = copy_of(value);
    if (!new_value) return false;
    uint32_t hash = hash_of(key);
    struct entry *e = map_slot(m, key, hash);
    if (e->key) {
        free(e->value);
        e->value = new_value;
        return true;
    }
    char *new_key = copy_of(key);
    if (!new_key) {
        free(new_value);
        return false;
    }
    *e = (struct entry){ hash, new_key, new_value };
    m->n_used++;
    return true;
}

const char *map_get(const struct map *m, const char *key)
{
    if (!m || !key) return NULL;
    struct entry *e = map_slot(m, key, hash_of(key));
    return e->key ? e->value : NULL;
}

/* Closes the gap, so that every other key is still found. */
bool map_remove(struct map *m, const char *key)
{
    if (!m || !key) return false;
    struct entry *gone = map_slot(m, key, hash_of(key));
    if (!gone->key) return false;
    size_t mask = m->n_slots - 1, gap = (size_t)(gone - m->slots);
    free(gone->key);
    free(gone->value);
    for (size_t i = (gap + 1) & mask; m->slots[i].key; i = (i + 1) & mask) {
        size_t home = m->slots[i].hash & mask;
        /* Moves back only what may stand in the gap: its home is not between the gap and itself. */
        if (((i - home) & mask) >= ((i - gap) & mask)) {
            m->slots[gap] = m->slots[i];
            gap = i;
        }
    }
    m->slots[gap] = (struct entry){ 0, NULL, NULL };
    m->n_used--;
    return true;
}

size_t map_size(const struct map *m)
{
    return m ? m->n_used : 0;
}

/* Calls back for every entry, in no particular order; stops when told so. */
typedef bool (*map_visitor)(struct text *out, const char *key, const char *value);

size_t map_each(const struct map *m, map_visitor visit, struct text *out)
{
    size_t n = 0;
    for (size_t i = 0; m && visit && i < m->n_slots; i++) {
        if (!m->slots[i].key) continue;
        n++;
        if (!visit(out, m->slots[i].key, m->slots[i].value)) break;
    }
    return n;
}

/* Every key is found where it stands, and as many as there should be. */
bool map_is_sane(const struct map *m)
{
    size_t n = 0;
    for (size_t i = 0; m && i < m->n_slots; i++) {
        struct entry *e = &m->slots[i];
        if (!e->key) continue;
        if (!e->value || e->hash != hash_of(e->key) || map_slot(m, e->key, e->hash) != e) return false;
        n++;
    }
    return !m || (n == m->n_used && n < m->n_slots);
}

/* ------------------------------------------------------------------------------------------- tokens */

enum token_kind {
    TOKEN_END,
    TOKEN_OPEN_OBJECT,
    TOKEN_CLOSE_OBJECT,
    TOKEN_OPEN_ARRAY,
    TOKEN_CLOSE_ARRAY,
    TOKEN_COLON,
    TOKEN_COMMA,
    TOKEN_STRING,
    TOKEN_NUMBER,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_NULL,
    TOKEN_WRONG
};

struct token {
    enum token_kind kind;
    size_t start; /* of its first character */
    size_t length;
};

struct lexer {
    char *source; /* a copy */
    size_t at;
    size_t length;
};

struct lexer *lexer_new(const char *source)
{
    if (!source) return NULL;
    struct lexer *l = malloc(sizeof *l);
    if (!l) return NULL;
    l->source = copy_of(source);
    if (!l->source) {
        free(l);
        return NULL;
    }
    l->at = 0;
    l->length = strlen(source);
    return l;
}

void lexer_free(struct lexer *l)
{
    if (!l) return;
    free(l->source);
    free(l);
}

/* The character so far ahead; zero behind the end. */
static char ahead(const struct lexer *l, size_t n)
{
    return n < l->length - l->at ? l->source[l->at + n] : '\0';
}

static struct token token(enum token_kind kind, const struct lexer *l, size_t length)
{
    size_t left = l->length - l->at;
    return (struct token){ kind, l->at, length < left ? length : left };
}

static struct token string_token(const struct lexer *l)
{
    size_t n = 1;
    while (ahead(l, n) != '"') {
        unsigned char c = ahead(l, n);
        if (c < 0x20) return token(TOKEN_WRONG, l, n);
        if (c == '\\') {
            char escaped = ahead(l, ++n);
            if (escaped == 'u') {
                for (int i = 0; i < 4; i++)
                    if (!isxdigit((unsigned char)ahead(l, ++n))) return token(TOKEN_WRONG, l, n);
            } else if (escaped == '\0' || !strchr("\"\\/bfnrt", escaped)) {
                return token(TOKEN_WRONG, l, n);
            }
        }
        n++;
    }
    return token(TOKEN_STRING, l, n + 1);
}

static size_t digits(const struct lexer *l, size_t n)
{
    while (ahead(l, n) >= '0' && ahead(l, n) <= '9') n++;
    return n;
}

static struct token number_token(const struct lexer *l)
{
    size_t start = ahead(l, 0) == '-', n = digits(l, start);
    if (n == start || (ahead(l, start) == '0' && n > start + 1)) return token(TOKEN_WRONG, l, n ? n : 1);
    if (ahead(l, n) == '.') {
        size_t fraction = n + 1;
        n = digits(l, fraction);
        if (n == fraction) return token(TOKEN_WRONG, l, n);
    }
    if (ahead(l, n) == 'e' || ahead(l, n) == 'E') {
        size_t exponent = n + 1;
        if (ahead(l, exponent) == '+' || ahead(l, exponent) == '-') exponent++;
        n = digits(l, exponent);
        if (n == exponent) return token(TOKEN_WRONG, l, n);
    }
    return token(TOKEN_NUMBER, l, n);
}

static struct token word_token(const struct lexer *l)
{
    static const struct {
        const char *word;
        enum token_kind kind;
    } words[] = { { "true", TOKEN_TRUE }, { "false", TOKEN_FALSE }, { "null", TOKEN_NULL } };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        if (strncmp(l->source + l->at, words[i].word, n) == 0) return token(words[i].kind, l, n);
    }
    return token(TOKEN_WRONG, l, 1);
}

static struct token token_here(const struct lexer *l)
{
    switch (ahead(l, 0)) {
    case '\0': return token(TOKEN_END, l, 0);
    case '{': return token(TOKEN_OPEN_OBJECT, l, 1);
    case '}': return token(TOKEN_CLOSE_OBJECT, l, 1);
    case '[': return token(TOKEN_OPEN_ARRAY, l, 1);
    case ']': return token(TOKEN_CLOSE_ARRAY, l, 1);
    case ':': return token(TOKEN_COLON, l, 1);
    case ',': return token(TOKEN_COMMA, l, 1);
    case '"': return string_token(l);
    case '-':
    case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9': return number_token(l);
    default: return word_token(l);
    }
}

struct token lexer_next(struct lexer *l)
{
    if (!l) return (struct token){ TOKEN_END, 0, 0 };
    while (ahead(l, 0) && strchr(" \t\r\n", ahead(l, 0))) l->at++;
    struct token t = token_here(l);
    l->at += t.length;
    return t;
}

size_t lexer_line(const struct lexer *l)
{
    size_t line = 1;
    for (size_t i = 0; l && i < l->at; i++) line += l->source[i] == '\n';
    return line;
}

/* -------------------------------------------------------------------------------------------- reader */

enum { DEPTH_MAX = 32 };

struct reader {
    struct lexer *lexer;
    struct token token;
    struct text *path;
    struct map *values;
    unsigned depth;
};

static bool read_value(struct reader *r);

static void advance(struct reader *r)
{
    r->token = lexer_next(r->lexer);
}

static bool take(struct reader *r, enum token_kind kind)
{
    if (r->token.kind != kind) return false;
    advance(r);
    return true;
}

/* Adds the characters of the current token to a text, without quotes and with escapes as they stand. */
static bool add_token(struct reader *r, struct text *t)
{
    size_t skip = r->token.kind == TOKEN_STRING;
    for (size_t i = skip; i + skip < r->token.length; i++)
        if (!text_add_char(t, r->lexer->source[r->token.start + i])) return false;
    return true;
}

static bool read_scalar(struct reader *r)
{
    struct text *value = text_new();
    bool is_read = value && add_token(r, value) && map_put(r->values, r->path->chars, value->chars);
    text_free(value);
    advance(r);
    return is_read;
}

static bool read_array(struct reader *r)
{
    size_t length = r->path->length;
    long index = 0;
    advance(r);
    if (take(r, TOKEN_CLOSE_ARRAY)) return true;
    do {
        if (!text_add_char(r->path, '/') || !text_add_number(r->path, index++)) return false;
        if (!read_value(r)) return false;
        text_cut(r->path, length);
    } while (take(r, TOKEN_COMMA));
    return take(r, TOKEN_CLOSE_ARRAY);
}

static bool read_object(struct reader *r)
{
    size_t length = r->path->length;
    advance(r);
    if (take(r, TOKEN_CLOSE_OBJECT)) return true;
    do {
        if (r->token.kind != TOKEN_STRING) return false;
        if (!text_add_char(r->path, '/') || !add_token(r, r->path)) return false;
        advance(r);
        if (!take(r, TOKEN_COLON) || !read_value(r)) return false;
        text_cut(r->path, length);
    } while (take(r, TOKEN_COMMA));
    return take(r, TOKEN_CLOSE_OBJECT);
}

static bool read_value(struct reader *r)
{
    bool is_read;
    if (r->depth >= DEPTH_MAX) return false;
    r->depth++;
    switch (r->token.kind) {
    case TOKEN_OPEN_OBJECT: is_read = read_object(r); break;
    case TOKEN_OPEN_ARRAY: is_read = read_array(r); break;
    case TOKEN_STRING:
    case TOKEN_NUMBER:
    case TOKEN_TRUE:
    case TOKEN_FALSE:
    case TOKEN_NULL: is_read = read_scalar(r); break;
    default: is_read = false;
    }
    r->depth--;
    return is_read;
}

/* The scalars of a document by their paths (`/list/0/name`), or NULL if it is not JSON. */
struct map *json_flatten(const char *source)
{
    struct reader r = { lexer_new(source), { TOKEN_END, 0, 0 }, text_new(), map_new(), 0 };
    bool is_read = false;
    if (r.lexer && r.path && r.values) {
        advance(&r);
        is_read = read_value(&r) && r.token.kind == TOKEN_END;
    }
    lexer_free(r.lexer);
    text_free(r.path);
    if (is_read) return r.values;
    map_free(r.values);
    return NULL;
}

static bool add_line(struct text *t, const char *key, const char *value)
{
    return text_add(t, key) && text_add(t, " = ") && text_add(t, value) && text_add_char(t, '\n');
}

/* One line for each scalar. */
struct text *json_describe(const char *source)
{
    struct map *values = json_flatten(source);
    struct text *t = values ? text_new() : NULL;
    if (t) map_each(values, add_line, t);
    map_free(values);
    return t;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct text *t = json_describe(argv[i]);
        fputs(t ? text_chars(t) : "not JSON\n", stdout);
        text_free(t);
    }
    return 0;
}
