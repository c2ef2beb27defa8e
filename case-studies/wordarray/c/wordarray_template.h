/*
 * The functions for elements of type WORD, called by SUFFIX. Included once for each; see wordarray.c.
 *
 * The PLANTED_ switches bring in one mistake each, for the tests.
 */
#define ARRAY struct WORDARRAY_NAME(wordarray, SUFFIX)
#define FUNCTION(name) WORDARRAY_NAME(wordarray_##name, SUFFIX)

ARRAY {
    uint32_t len;
    WORD *values;
};

/* How many of `n` elements from `from` on there are. */
static inline uint32_t FUNCTION(clipped)(uint32_t len, uint32_t from, uint32_t n)
{
    if (from >= len) return 0;
    return n < len - from ? n : len - from;
}

/* An array whose elements are not written yet. */
ARRAY *FUNCTION(create_nz)(uint32_t len)
{
    ARRAY *array = malloc(sizeof *array);
    if (!array) return NULL;
    array->len = len;
    array->values = len ? malloc(len * sizeof(WORD)) : NULL;
#ifdef PLANTED_LEAKED_HEADER
    /* Nothing was allocated for no elements, which looks like a failure. */
    if (!array->values) return NULL;
#endif
    if (len && !array->values) {
        free(array);
        return NULL;
    }
    return array;
}

/* An array of zeros. */
ARRAY *FUNCTION(create)(uint32_t len)
{
    ARRAY *array = FUNCTION(create_nz)(len);
    if (array && len) memset(array->values, 0, len * sizeof(WORD));
    return array;
}

void FUNCTION(free)(ARRAY *array)
{
    if (!array) return;
    free(array->values);
    free(array);
}

uint32_t FUNCTION(length)(const ARRAY *array)
{
    return array->len;
}

/* The element at a position; 0 if there is none. */
WORD FUNCTION(get)(const ARRAY *array, uint32_t index)
{
    return index < array->len ? array->values[index] : 0;
}

/* Whether there is an element at a position, and which. */
bool FUNCTION(get_bounded)(const ARRAY *array, uint32_t index, WORD *value)
{
    if (index >= array->len) return false;
    *value = array->values[index];
    return true;
}

/* Whether there is a position to put an element. */
bool FUNCTION(put)(ARRAY *array, uint32_t index, WORD value)
{
    if (index >= array->len) return false;
    array->values[index] = value;
    return true;
}

/* Sets n elements from `from` on, as far as there are elements. */
void FUNCTION(set)(ARRAY *array, uint32_t from, uint32_t n, WORD value)
{
#if defined PLANTED_WRAPPING_SUM
    uint32_t end = from + n < array->len ? from + n : array->len;
#elif defined PLANTED_COUNT_AS_END
    uint32_t end = n < array->len ? n : array->len;
#else
    uint32_t end = from + FUNCTION(clipped)(array->len, from, n);
#endif
    for (uint32_t k = from; k < end; k++)
        array->values[k] = value;
}

/* Copies n elements, as far as both arrays have elements; how many. */
uint32_t FUNCTION(copy)(ARRAY *to, const ARRAY *from, uint32_t to_at, uint32_t from_at, uint32_t n)
{
    n = FUNCTION(clipped)(to->len, to_at, n);
#ifdef PLANTED_UNCHECKED_SOURCE
    if (n > from->len - from_at) n = from->len - from_at;
#else
    n = FUNCTION(clipped)(from->len, from_at, n);
#endif
    for (uint32_t k = 0; k < n; k++)
        to->values[to_at + k] = from->values[from_at + k];
    return n;
}

/* Whether two arrays have the same elements. */
bool FUNCTION(cmp)(const ARRAY *one, const ARRAY *other)
{
#ifdef PLANTED_READ_PAST_END
    uint32_t len = one->len;
#else
    if (one->len != other->len) return false;
    uint32_t len = one->len;
#endif
    for (uint32_t k = 0; k < len; k++)
        if (one->values[k] != other->values[k]) return false;
#ifdef PLANTED_READ_PAST_END
    return one->len == other->len;
#else
    return true;
#endif
}

/* Changes the element at a position, if there is one. */
void FUNCTION(modify)(ARRAY *array, uint32_t index, WORD (*change)(WORD, WORD), WORD with)
{
    if (index < array->len) array->values[index] = change(array->values[index], with);
}

/* Changes the elements from `from` up to `to`, as far as there are elements. */
void FUNCTION(map)(ARRAY *array, uint32_t from, uint32_t to, WORD (*change)(WORD, WORD), WORD with)
{
    if (to > array->len) to = array->len;
    for (uint32_t k = from; k < to; k++)
        array->values[k] = change(array->values[k], with);
}

/* Goes through the elements from `from` up to `to`, as far as there are elements. */
uint64_t FUNCTION(fold)(const ARRAY *array, uint32_t from, uint32_t to, uint64_t start, uint64_t (*step)(uint64_t, WORD))
{
    if (to > array->len) to = array->len;
    for (uint32_t k = from; k < to; k++)
        start = step(start, array->values[k]);
    return start;
}

/* The n elements from `from` on, as far as there are elements, in an array of their own. */
ARRAY *FUNCTION(slice)(const ARRAY *array, uint32_t from, uint32_t n)
{
    n = FUNCTION(clipped)(array->len, from, n);
    ARRAY *slice = FUNCTION(create_nz)(n);
    if (!slice) return NULL;
#ifdef PLANTED_BYTE_COUNT
    if (n) memcpy(slice->values, array->values + from, n);
#else
    if (n) memcpy(slice->values, array->values + from, n * sizeof(WORD));
#endif
    return slice;
}

ARRAY *FUNCTION(clone)(const ARRAY *array)
{
    return FUNCTION(slice)(array, 0, array->len);
}

/* Functions for modify, map and fold. */
WORD FUNCTION(plus)(WORD element, WORD with)
{
    return (WORD)(element + with);
}
uint64_t FUNCTION(digest)(uint64_t so_far, WORD element)
{
    return so_far * 31 + element;
}

#undef ARRAY
#undef FUNCTION
