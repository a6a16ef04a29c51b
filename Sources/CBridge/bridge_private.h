/* The bridge itself, and the LV2 world's words. */
#ifndef BACKLINE_BRIDGE_PRIVATE_H
#define BACKLINE_BRIDGE_PRIVATE_H

#include <lilv/lilv.h>

#include "lv2_words.h"
#include "plug_in.h"

struct bl_bridge {
    LilvWorld *world; /* NULL until a plug-in of LV2 is asked for */
    const LilvPlugins *plug_ins;
    LilvNode *words[BL_WORD_COUNT];
    bl_plug_in *described;
    char **identifiers; /* of the scan */
    uint32_t identifier_count, identifier_room;
};

/* Loads the LV2 world once; false when memory is short. */
bool bl_bridge_load_lv2(bl_bridge *bridge);
/* Adds a copy to the scan's list. */
void bl_bridge_add_identifier(bl_bridge *bridge, const char *scheme, const char *first,
                              const char *second);

void bl_lv2_scan(bl_bridge *bridge);
void bl_ladspa_scan(bl_bridge *bridge, bool (*visit)(void *context, const char *path),
                    void *context);

#endif
