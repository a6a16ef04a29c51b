/* Remarks on parts of a file that are left out or play differently: for each kind the first
   sentence, and a count. */
#pragma once

#include <stdint.h>

#include "backline/arena.h"

typedef struct bl_remark {
    const char *kind, *text;
    uint32_t count;
    struct bl_remark *next;
} bl_remark;

/* A list of remarks. All zero: empty. */
typedef struct bl_remarks {
    bl_remark *first, *last;
    uint32_t kinds, count; /* of all remarks, including kinds beyond the maximum */
} bl_remarks;

/* Counts one more remark of a kind; false, without counting, if it is the first, whose sentence
   must be added. [control] */
bool bl_remarks_count(bl_remarks *list, const char *kind);
/* Adds the first remark of a kind. [control] */
void bl_remarks_add(bl_remarks *list, bl_arena *arena, const char *kind, const char *text);
/* Writes the remarks, one sentence a line, as far as they fit. [control] */
void bl_remarks_write(const bl_remarks *list, char *text, size_t size);
