// expect: pass
#include <stdlib.h>

/* Records: a synonym, values, updates, equality whatever the order of the fields. */

struct account { unsigned id; long balance; unsigned moves; };

/*@
type_synonym view = { i64 balance, u32 moves }

function (view) see(struct account a) { { moves: a.moves, balance: a.balance } }

function (view) after(view v, i64 amount) { { balance: v.balance + amount, moves: v.moves + 1u32 } }

predicate (view) Account(pointer p, u32 id) {
  take A = RW<struct account>(p);
  assert(A.id == id && A.balance >= 0i64);
  return see(A);
}
@*/

void deposit(struct account *a, unsigned id, long amount)
/*@ requires take V = Account(a, id);
             0i64 < amount && amount < 1000000i64; V.balance < 1000000000i64;
    ensures take V2 = Account(a, id);
            V2 == after(V, amount);
            { balance: 0i64, ..V2 } == { moves: V.moves + 1u32, balance: 0i64 }; @*/
{
    a->balance += amount;
    a->moves++;
}

struct account *account(unsigned id)
/*@ ensures take V = Account(return, id); V.moves == 0u32; @*/
{
    struct account *a = calloc(1, sizeof *a);
    a->id = id;
    return a;
}

void open_account(struct account *a, unsigned id)
/*@ requires take A = W<struct account>(a);
    ensures take V = Account(a, id); V == { balance: 0, moves: 0 }; @*/
{
    a->id = id;
    a->balance = 0;
    a->moves = 0;
}
