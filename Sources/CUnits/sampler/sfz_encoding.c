#include "sampler/sfz_encoding.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { END_OF_TEXT = 0x1A /* DOS's end-of-file character */ };

static uint32_t unit_at(const unsigned char *bytes, bool is_big) {
    return (uint32_t)bytes[is_big ? 1 : 0] | (uint32_t)bytes[is_big ? 0 : 1] << 8;
}

/* Writes a character as UTF-8; returns the number of bytes. */
static size_t put(uint32_t character, char *to) {
    if (character < 0x80) {
        to[0] = (char)character;
        return 1;
    }
    static const uint32_t leads[] = {0, 0xC0, 0xE0, 0xF0};
    uint32_t more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    to[0] = (char)(leads[more] | character >> 6 * more);
    for (uint32_t index = 1; index <= more; index += 1) {
        to[index] = (char)(0x80 | (character >> 6 * (more - index) & 0x3F));
    }
    return more + 1;
}

/* Converts UTF-16 to UTF-8, which has at most three bytes for two. */
static char *from_utf_16(const char *bytes, bool is_big, size_t *size) {
    const unsigned char *from = (const unsigned char *)bytes;
    size_t units = *size / 2, used = 0;
    char *text = malloc(3 * units + 1);
    for (size_t index = 0; text != NULL && index < units; index += 1) {
        uint32_t character = unit_at(from + 2 * index, is_big);
        uint32_t next = index + 1 < units ? unit_at(from + 2 * index + 2, is_big) : 0;
        if (character >> 10 == 0x36 && next >> 10 == 0x37) { /* a surrogate pair */
            character = 0x10000 + ((character & 0x3FF) << 10) + (next & 0x3FF);
            index += 1;
        }
        used += put(character, text + used);
    }
    *size = used;
    return text;
}

char *bl_sfz_decode(char *bytes, size_t *size) {
    bool is_pair = *size >= 2;
    bool is_little =
        is_pair && (memcmp(bytes, "\xFF\xFE", 2) == 0 || (bytes[0] != 0 && bytes[1] == 0));
    bool is_big =
        is_pair && (memcmp(bytes, "\xFE\xFF", 2) == 0 || (bytes[0] == 0 && bytes[1] != 0));
    if (is_little || is_big) {
        char *text = from_utf_16(bytes, is_big, size);
        free(bytes);
        bytes = text;
        if (bytes == NULL) {
            return NULL;
        }
    }
    if (*size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        *size -= 3;
        memmove(bytes, bytes + 3, *size);
    }
    while (*size > 0 && (bytes[*size - 1] == 0 || bytes[*size - 1] == END_OF_TEXT)) {
        *size -= 1;
    }
    bytes[*size] = 0;
    for (char *space = bytes; (space = strstr(space, "\xC2\xA0")) != NULL;) {
        memcpy(space, "  ", 2);
    }
    return bytes;
}
