/* One template, four element types. */
#include "wordarray.h"
#include <stdlib.h>
#include <string.h>

#define WORD uint8_t
#define SUFFIX u8
#include "wordarray_template.h"
#undef WORD
#undef SUFFIX

#define WORD uint16_t
#define SUFFIX u16
#include "wordarray_template.h"
#undef WORD
#undef SUFFIX

#define WORD uint32_t
#define SUFFIX u32
#include "wordarray_template.h"
#undef WORD
#undef SUFFIX

#define WORD uint64_t
#define SUFFIX u64
#include "wordarray_template.h"
