/*
 * Undefined behaviour as the compiler's checks announce it. Arithmetic is noted and goes on; what cannot go on
 * (no return value, unreachable code) and what is about memory (array bounds) ends the call.
 */
#include "internal.h"
#include <string.h>

/* The order is Rust's too (`machine/notes.rs`). */
enum {
    ADD, SUB, MUL, NEGATE, DIVIDE, SHIFT, FLOAT_CAST, INVALID_VALUE, VLA_BOUND, BUILTIN, NONNULL, POINTER, ALIGNMENT, N_KINDS
};

struct location { const char *file; uint32_t line, column; };
struct type { uint16_t kind, info; char name[]; };

static void value(uint64_t out[2], const struct type *t, uint64_t raw)
{
    /* Values up to 64 bits come themselves, wider ones by address; info is 2 * log2(bits) + is_signed. */
    out[0] = raw;
    out[1] = 0;
    if (t->kind == 0 && (t->info >> 1) > 6) memcpy(out, (void *)raw, 16);
    if (t->kind == 1 && t->info > 64) memcpy(out, (void *)raw, 16);
}

static void note(uint32_t kind, const struct location *where, const struct type *type, uint64_t left, uint64_t right, const struct type *right_type)
{
    struct sw_report *r = &S.report;
    for (uint32_t k = 0; k < r->n_notes; k++)
        if (r->notes[k].file == where->file && r->notes[k].line == where->line && r->notes[k].column == where->column && r->notes[k].kind == kind) {
            r->notes[k].count++;
            return;
        }
    if (r->n_notes == SW_MAX_NOTES) {
        r->limits |= SW_LIMIT_NOTES;
        return;
    }
    struct sw_note *n = &r->notes[r->n_notes++];
    *n = (struct sw_note){ .kind = kind, .line = where->line, .column = where->column, .count = 1, .file = where->file };
    n->type = (const uint16_t *)type;
    if (type) value(n->left, type, left);
    if (right_type) value(n->right, right_type, right);
}

static void fatal(uint32_t kind, const struct location *where, const char *text, uint64_t address, uint64_t index, void *pc)
{
    if (!S.armed) return;
    S.report.violation = (struct sw_violation){
        .address = address, .text = text, .file = where->file, .line = where->line, .column = where->column,
        .offset = (int64_t)index, .pc = (uint64_t)pc,
    };
    leave(kind);
}

struct overflow { struct location where; const struct type *type; };
#define OVERFLOW(name, kind) \
    void __ubsan_handle_##name##_overflow(struct overflow *d, uint64_t l, uint64_t r) { note(kind, &d->where, d->type, l, r, d->type); }
OVERFLOW(add, ADD)
OVERFLOW(sub, SUB)
OVERFLOW(mul, MUL)
OVERFLOW(divrem, DIVIDE)
void __ubsan_handle_negate_overflow(struct overflow *d, uint64_t v) { note(NEGATE, &d->where, d->type, v, 0, 0); }

struct shift { struct location where; const struct type *left, *right; };
void __ubsan_handle_shift_out_of_bounds(struct shift *d, uint64_t l, uint64_t r) { note(SHIFT, &d->where, d->left, l, r, d->right); }

struct cast { struct location where; const struct type *from, *to; };
void __ubsan_handle_float_cast_overflow(struct cast *d, uint64_t v) { note(FLOAT_CAST, &d->where, d->from, v, 0, 0); }

void __ubsan_handle_load_invalid_value(struct overflow *d, uint64_t v) { note(INVALID_VALUE, &d->where, d->type, v, 0, 0); }
void __ubsan_handle_vla_bound_not_positive(struct overflow *d, uint64_t v) { note(VLA_BOUND, &d->where, d->type, v, 0, 0); }
void __ubsan_handle_invalid_builtin(struct location *where) { note(BUILTIN, where, 0, 0, 0, 0); }
void __ubsan_handle_nonnull_arg(struct location *where) { note(NONNULL, where, 0, 0, 0, 0); }
void __ubsan_handle_nonnull_return_v1(void *d, struct location *where) { (void)d; note(NONNULL, where, 0, 0, 0, 0); }
void __ubsan_handle_pointer_overflow(struct location *where, uint64_t base, uint64_t result)
{
    (void)base, (void)result;
    note(POINTER, where, 0, 0, 0, 0);
}

void __ubsan_handle_builtin_unreachable(struct location *where) { fatal(SW_NO_RETURN, where, "unreachable code was reached", 0, 0, RA); }
void __ubsan_handle_missing_return(struct location *where) { fatal(SW_NO_RETURN, where, "a function ended without a value", 0, 0, RA); }

struct bounds { struct location where; const struct type *array, *index; };
void __ubsan_handle_out_of_bounds(struct bounds *d, uint64_t index) { fatal(SW_BOUNDS, &d->where, d->array->name, 0, index, RA); }

struct mismatch { struct location where; const struct type *type; unsigned char log_align, kind; };
void __ubsan_handle_type_mismatch_v1(struct mismatch *d, uint64_t p)
{
    /* Only object sizes are asked for: null and alignment are not, the shadow knows better. The pointer is into a
       variable whose size the compiler knows. One past the end of an array whose address is taken is no access. */
    if (p - SW_ARENA < SW_ARENA_SIZE) return; /* the check of the access follows, and knows the block */
    if (d->kind <= 1) fatal(SW_BOUNDS, &d->where, d->type->name, p, 0, RA);
}
