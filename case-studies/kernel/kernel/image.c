/* The user program: an ELF file inside the kernel's image (image.S), put where it wants to be.
 *
 * Knows program headers and trusts them, because it was built together with the kernel. */
#include "kernel.h"

struct elf_header {
    uint8_t ident[16];
    uint16_t type, machine;
    uint32_t version;
    uint64_t entry, program_headers, section_headers;
    uint32_t flags;
    uint16_t header_bytes, program_header_bytes, n_program_headers;
};

struct program_header {
    uint32_t type, flags;
    uint64_t offset, address, physical, file_bytes, memory_bytes, alignment;
};

enum { LOADED = 1, EXECUTABLE = 1, WRITABLE = 2 };

extern const uint8_t image_start[];

static bool load_segment(const struct program_header *segment) {
    const uint64_t end = segment->address + segment->memory_bytes;
    const uint64_t file_end = segment->address + segment->file_bytes;
    for (uint64_t page = segment->address & ~(PAGE_BYTES - 1ul); page < end; page += PAGE_BYTES) {
        uint64_t frame = frame_take();
        bool writable = (segment->flags & WRITABLE) != 0, executable = (segment->flags & EXECUTABLE) != 0;
        if (frame == 0 || !vm_map(page, frame, writable, executable))
            return false;
        for (uint64_t at = page; at < page + PAGE_BYTES; at++)
            if (at >= segment->address && at < file_end)
                *(uint8_t *)(frame + (at - page)) = image_start[segment->offset + (at - segment->address)];
    }
    return true;
}

/* Where the program starts; 0 if there is no memory for it. */
uint64_t image_load(void) {
    const struct elf_header *header = (const struct elf_header *)image_start;
    const uint8_t *segments = image_start + header->program_headers;
    for (size_t i = 0; i < header->n_program_headers; i++) {
        const struct program_header *segment =
            (const struct program_header *)(segments + i * header->program_header_bytes);
        if (segment->type == LOADED && !load_segment(segment))
            return 0;
    }
    return header->entry;
}
