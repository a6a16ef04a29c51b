/* Reading the description of an LV2 plug-in, part by part. [control] */
#ifndef BACKLINE_BRIDGE_LV2_PLUG_IN_H
#define BACKLINE_BRIDGE_LV2_PLUG_IN_H

#include "bridge_private.h"

typedef struct bl_lv2_reader {
    bl_bridge *bridge;
    const LilvPlugin *source;
    bl_plug_in *plug_in;
} bl_lv2_reader;

static inline const LilvNode *bl_lv2_word(const bl_lv2_reader *reader, bl_word word) {
    return reader->bridge->words[word];
}
static inline bool bl_lv2_has_property(const bl_lv2_reader *reader, const LilvPort *port,
                                       bl_word word) {
    return lilv_port_has_property(reader->source, port, reader->bridge->words[word]);
}
/* The text of a node, in the reader's arena. NULL gives "". Frees the node. */
const char *bl_lv2_take_text(const bl_lv2_reader *reader, LilvNode *node);

/* Each fills in its part of the plug-in. */
bool bl_lv2_read_ports(const bl_lv2_reader *reader, char *message, size_t message_size);
void bl_lv2_read_busses(const bl_lv2_reader *reader);
void bl_lv2_read_parameters(const bl_lv2_reader *reader);
void bl_lv2_read_presets(const bl_lv2_reader *reader);
void bl_lv2_read_class(const bl_lv2_reader *reader);

/* Sets unit and name of a parameter's unit. */
void bl_lv2_read_unit(const bl_lv2_reader *reader, const LilvPort *port, bl_parameter_info *info);

/* Whether instances get that feature; see lv2_features.c. */
bool bl_lv2_supports_feature(const char *uri);

/* Creates the LV2 instance. */
struct bl_instance;
bl_status bl_lv2_instantiate(struct bl_instance *instance, double sample_rate);

#endif
