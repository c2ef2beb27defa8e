/* The kernel's properties and the queue's, ready to be run. */
#ifndef KERNEL_SET_H
#define KERNEL_SET_H

#include "stairway.h"

sw_set kernel_set(void);
extern const sw_set queue_set;

#endif
