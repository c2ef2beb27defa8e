#include "stairway.h"

/* Where the kernel has queues and semaphores. */
extern const sw_set messages;
