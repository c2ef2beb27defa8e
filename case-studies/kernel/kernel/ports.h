/* The processor's instructions for ports. */
#ifndef PORTS_H
#define PORTS_H

#include <stdint.h>

static inline void port_out(uint16_t port, uint8_t byte) {
    __asm__ volatile("outb %0, %1" : : "a"(byte), "Nd"(port));
}

static inline void port_out_long(uint16_t port, uint32_t word) {
    __asm__ volatile("outl %0, %1" : : "a"(word), "Nd"(port));
}

static inline uint8_t port_in(uint16_t port) {
    uint8_t byte;
    __asm__ volatile("inb %1, %0" : "=a"(byte) : "Nd"(port));
    return byte;
}

#endif
