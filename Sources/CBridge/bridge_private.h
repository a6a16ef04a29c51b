/* The bridge itself, and the LV2 world's URIs. */
#pragma once

#include <lilv/lilv.h>

#include "lv2_words.h"
#include "plug_in.h"

struct bl_bridge {
    LilvWorld *world; /* NULL until an LV2 plug-in is requested */
    const LilvPlugins *plug_ins;
    bool has_bundles;
    char ladspa_folder[4096]; /* searched before the usual ones */
    LilvNode *words[BL_WORD_COUNT];
    bl_plug_in *described;
    char **identifiers; /* found by the scan */
    uint32_t identifier_count, identifier_room;
};

/* Lock and unlock lilv, which several threads may use. [control] */
void bl_lv2_lock_world(void);
void bl_lv2_unlock_world(void);

/* Reads the bundles of all folders; false when memory is short. */
bool bl_lv2_load_all(bl_bridge *bridge, const bl_bridge_visitor *visitor);
/* Adds a copy to the scan's list. */
void bl_bridge_add_identifier(bl_bridge *bridge, const char *scheme, const char *first,
                              const char *second);

/* Whether the opened library contains the plug-in; if not, `message` has the reason. */
bool bl_lv2_is_in(void *library, const bl_plug_in *plug_in, char *message, size_t message_size);

/* Whether the files describing the plug-in are valid Turtle; if not, `message` has the place. */
bool bl_lv2_check_texts(const LilvPlugin *plug_in, char *message, size_t message_size);

void bl_lv2_scan(bl_bridge *bridge, const bl_bridge_visitor *visitor);
void bl_ladspa_scan(bl_bridge *bridge, const bl_bridge_visitor *visitor);
