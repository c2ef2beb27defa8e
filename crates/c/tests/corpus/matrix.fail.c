// expect: out-of-bounds of matrix_transpose, at most 2 calls
// seeds: 2
/* A matrix in a flexible array member, transposed with the wrong stride. */
#include <stddef.h>
typedef struct matrix {
    size_t rows, cols;
    double at[];
} matrix;
matrix *matrix_new(size_t rows, size_t cols);
matrix *matrix_identity(size_t n);
matrix *matrix_mul(const matrix *a, const matrix *b);
matrix *matrix_transpose(const matrix *m);
int matrix_set(matrix *m, size_t r, size_t c, double v);
double matrix_get(const matrix *m, size_t r, size_t c);
int matrix_add(matrix *a, const matrix *b);
void matrix_swap_rows(matrix *m, size_t r, size_t s);
void matrix_free(matrix *m);

#include <stdlib.h>
#include <string.h>
#define LIMIT 64
#define AT(m, r, c) ((m)->at[(r) * (m)->cols + (c)])

matrix *matrix_new(size_t rows, size_t cols)
{
    matrix *m;
    if (!rows || !cols || rows > LIMIT || cols > LIMIT) return NULL;
    m = calloc(1, sizeof *m + rows * cols * sizeof m->at[0]);
    if (!m) return NULL;
    m->rows = rows;
    m->cols = cols;
    return m;
}

matrix *matrix_identity(size_t n)
{
    matrix *m = matrix_new(n, n);
    for (size_t i = 0; m && i < n; i++) AT(m, i, i) = 1.0;
    return m;
}

matrix *matrix_mul(const matrix *a, const matrix *b)
{
    matrix *p;
    if (a->cols != b->rows) return NULL;
    p = matrix_new(a->rows, b->cols);
    if (!p) return NULL;
    for (size_t i = 0; i < a->rows; i++)
        for (size_t j = 0; j < b->cols; j++)
            for (size_t k = 0; k < a->cols; k++) AT(p, i, j) += AT(a, i, k) * AT(b, k, j);
    return p;
}

matrix *matrix_transpose(const matrix *m)
{
    matrix *t = matrix_new(m->cols, m->rows);
    if (!t) return NULL;
    for (size_t i = 0; i < m->rows; i++)
        for (size_t j = 0; j < m->cols; j++)
            t->at[j * m->cols + i] = AT(m, i, j);
    return t;
}

int matrix_set(matrix *m, size_t r, size_t c, double v)
{
    if (r >= m->rows || c >= m->cols) return -1;
    AT(m, r, c) = v;
    return 0;
}

double matrix_get(const matrix *m, size_t r, size_t c)
{
    return r < m->rows && c < m->cols ? AT(m, r, c) : 0.0;
}

int matrix_add(matrix *a, const matrix *b)
{
    if (a->rows != b->rows || a->cols != b->cols) return -1;
    for (size_t i = 0; i < a->rows * a->cols; i++) a->at[i] += b->at[i];
    return 0;
}

void matrix_swap_rows(matrix *m, size_t r, size_t s)
{
    if (r >= m->rows || s >= m->rows) return;
    for (size_t c = 0; c < m->cols; c++) {
        double t = AT(m, r, c);
        AT(m, r, c) = AT(m, s, c);
        AT(m, s, c) = t;
    }
}

void matrix_free(matrix *m) { free(m); }
