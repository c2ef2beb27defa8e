#include "flash.h"

void flash_power_on(struct flash *flash)
{
    flash->is_unlocked = false;
    flash->is_locked_out = false;
}

int flash_unlock(struct flash *flash, uint16_t key)
{
    if (flash->is_locked_out || key != FLASH_KEY) {
        flash->is_locked_out = true;
        return -1;
    }
    flash->is_unlocked = true;
    return 0;
}

void flash_erase(struct flash *flash)
{
    int n = flash->erases_too_little ? FLASH_PAGE - 1 : FLASH_PAGE;
    for (int i = 0; i < n; i++)
        flash->page[i] = 0xff;
    flash->used = 0;
}

int flash_write(struct flash *flash, uint8_t word)
{
    /* Nobody asks whether this is allowed: `used` may be out of the page. */
    uint8_t *at = &flash->page[flash->used++];
    *at &= word;
    return *at == word ? 0 : -1;
}

void flash_lock(struct flash *flash)
{
    flash->is_unlocked = false;
}
