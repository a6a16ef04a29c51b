/* What of a file is left out or played otherwise than it says: of each kind the first sentence, and
   how many there are. */
#pragma once

#include <stdint.h>

#include "backline/arena.h"

typedef struct bl_remark {
    const char *kind, *text;
    uint32_t count;
    struct bl_remark *next;
} bl_remark;

/* All zero is an empty list. */
typedef struct bl_remarks {
    bl_remark *first, *last;
    uint32_t kinds, count; /* of all remarks, also those beyond the most kinds */
} bl_remarks;

/* Counts one more remark of a kind; false, and nothing, where that is the first, whose sentence is
   to be added. [control] */
bool bl_remarks_count(bl_remarks *list, const char *kind);
/* Adds the first remark of a kind. [control] */
void bl_remarks_add(bl_remarks *list, bl_arena *arena, const char *kind, const char *text);
/* Writes them, a sentence a line, as far as there is room. [control] */
void bl_remarks_write(const bl_remarks *list, char *text, size_t size);
