#include "sampler/sampler_remarks.h"

#include <stdio.h>

enum {
    MOST_KINDS = 64,
    ROOM_FOR_REST = 40 /* bytes of the last line, which counts remarks without a line */
};

bool bl_remarks_count(bl_remarks *list, const char *kind) {
    bl_remark *known = list->first;
    while (known != NULL && strcmp(known->kind, kind) != 0) {
        known = known->next;
    }
    if (known != NULL) {
        known->count += 1;
    }
    bool counts = known != NULL || list->kinds == MOST_KINDS;
    list->count += counts;
    return counts;
}

void bl_remarks_add(bl_remarks *list, bl_arena *arena, const char *kind, const char *text) {
    bl_remark *added = bl_arena_allocate(arena, 1, sizeof *added);
    const char *own_kind = bl_arena_copy(arena, kind, strlen(kind) + 1, 1);
    const char *own_text = bl_arena_copy(arena, text, strlen(text) + 1, 1);
    if (added == NULL || own_kind == NULL || own_text == NULL) {
        return;
    }
    *added = (bl_remark){own_kind, own_text, 1, NULL};
    *(list->last != NULL ? &list->last->next : &list->first) = added;
    list->last = added;
    list->kinds += 1;
    list->count += 1;
}

void bl_remarks_write(const bl_remarks *list, char *text, size_t size) {
    size_t used = 0;
    uint32_t told = 0;
    text[0] = 0;
    for (const bl_remark *remark = list->first; remark != NULL; remark = remark->next) {
        char more[32] = "";
        if (remark->count > 1) {
            snprintf(more, sizeof more, " (and %u more)", remark->count - 1);
        }
        size_t length = strlen(remark->text) + strlen(more) + 1;
        if (used + length + ROOM_FOR_REST > size) {
            break;
        }
        snprintf(text + used, size - used, "%s%s\n", remark->text, more);
        used += length;
        told += remark->count;
    }
    if (told < list->count && used + ROOM_FOR_REST <= size) {
        snprintf(text + used, size - used, "and %u more of other kinds\n", list->count - told);
    }
}
