// expect: pass
// A variable that the initialiser of the next one sets keeps its value.

#include <stddef.h>

static int slots[4];

static int *look(int key, int **vacant)
{
    int *slot = &slots[key & 3];
    *vacant = slot;
    return *slot == key ? slot : NULL;
}

int put(int key)
{
    int *vacant, *slot = look(key, &vacant);
    if (slot) return 0;
    *vacant = key;
    return 1;
}
