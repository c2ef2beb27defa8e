/* The properties of the kernel and the thread library, one file for each mechanism. */
#ifndef KERNEL_PROPERTIES_H
#define KERNEL_PROPERTIES_H

#include "stairway.h"
#include "world.h"

extern const sw_property property_create_or_delete, property_misuse, property_misuse_beyond, property_stacks;
extern const sw_property property_priorities;
extern const sw_property property_wait_for_mail, property_send_mail;
extern const sw_property property_map, property_unmap, property_store;

#endif
