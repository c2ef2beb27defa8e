/* FreeRTOS includes it, and needs nothing of it. */
#include <stddef.h>
