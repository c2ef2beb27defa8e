// expect: pass
#include <stdlib.h>
/* A matrix as rows of their own. */
struct matrix { unsigned rows, cols; int **row; };
/*@
predicate (map<u32, i32>) Row(pointer p, u32 cols) {
  take R = each (u32 j; j < cols) { RW<int>(array_shift<int>(p, j)) };
  return R;
}
predicate ({u32 rows, u32 cols, map<u32, map<u32, i32> > at}) Matrix(pointer m) {
  take M = RW<struct matrix>(m);
  assert(0u32 < M.rows && M.rows < 5u32 && 0u32 < M.cols && M.cols < 5u32);
  take P = each (u32 i; i < M.rows) { RW<int *>(array_shift<int *>(M.row, i)) };
  take A = each (u32 i; i < M.rows) { Row(P[i], M.cols) };
  return { rows: M.rows, cols: M.cols, at: A };
}
@*/
int get(struct matrix *m, unsigned i, unsigned j)
/*@ requires take M = Matrix(m); i < M.rows; j < M.cols;
    ensures take M2 = Matrix(m); M2 == M; return == M.at[i][j]; @*/
{
    return m->row[i][j];
}
void set(struct matrix *m, unsigned i, unsigned j, int v)
/*@ requires take M = Matrix(m); i < M.rows; j < M.cols;
    ensures take M2 = Matrix(m); M2.rows == M.rows; M2.cols == M.cols; M2.at[i][j] == v; @*/
{
    m->row[i][j] = v;
}
int is_zero(struct matrix *m)
/*@ requires take M = Matrix(m);
    ensures take M2 = Matrix(m); M2 == M;
            (return == 0i32) || each (u32 i: 0, 4; i < M.rows implies each (u32 j: 0, 4; j < M.cols implies M.at[i][j] == 0i32)); @*/
{
    for (unsigned i = 0; i < m->rows; i++)
        for (unsigned j = 0; j < m->cols; j++)
            if (m->row[i][j] != 0) return 0;
    return 1;
}
