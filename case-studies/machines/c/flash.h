/* A chip that keeps words without power. */
#include <stdbool.h>
#include <stdint.h>

#define FLASH_KEY 0x4567
#define FLASH_PAGE 2

struct flash {
    uint8_t page[FLASH_PAGE];
    uint8_t used;          /* how many words are written since it was erased */
    bool is_unlocked;
    bool is_locked_out;    /* after a wrong key, until power is off */
    bool erases_too_little;/* a planted bug */
};

void flash_power_on(struct flash *flash);
/* 0, or -1 for a wrong key: then nothing but switching it off and on again helps. */
int flash_unlock(struct flash *flash, uint16_t key);
/* Only while it is unlocked. All bits are set. */
void flash_erase(struct flash *flash);
/* Only behind `flash_erase`, and FLASH_PAGE times: writing can clear bits and not set them.
   0, or -1 if what is read back is something else. */
int flash_write(struct flash *flash, uint8_t word);
void flash_lock(struct flash *flash);
