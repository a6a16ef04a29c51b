/* Reading the description of an LV2 plug-in, part by part. [control] */
#pragma once

#include "bridge_private.h"

typedef struct bl_lv2_reader {
    bl_bridge *bridge;
    const LilvPlugin *source;
    bl_plug_in *plug_in;
} bl_lv2_reader;

static inline const LilvNode *bl_lv2_word(const bl_lv2_reader *reader, bl_word word) {
    return reader->bridge->words[word];
}
/* What is said of a subject by that word, to be freed; NULL: nothing. */
static inline LilvNode *bl_lv2_get(const bl_lv2_reader *reader, const LilvNode *subject,
                                   bl_word word) {
    return lilv_world_get(reader->bridge->world, subject, reader->bridge->words[word], NULL);
}
/* Whether it is among the properties of a port or an lv2:Parameter. */
static inline bool bl_lv2_has_property(const bl_lv2_reader *reader, const LilvNode *node,
                                       bl_word word) {
    return lilv_world_ask(reader->bridge->world, node, reader->bridge->words[BL_WORD_PORT_PROPERTY],
                          reader->bridge->words[word]);
}
/* The text of a node, in the reader's arena. NULL gives "". Frees the node. */
const char *bl_lv2_take_text(const bl_lv2_reader *reader, LilvNode *node);

/* Each fills in its part of the plug-in. */
bool bl_lv2_read_ports(const bl_lv2_reader *reader, char *message, size_t message_size);
void bl_lv2_read_busses(const bl_lv2_reader *reader);
void bl_lv2_read_parameters(const bl_lv2_reader *reader);
void bl_lv2_read_presets(const bl_lv2_reader *reader);
void bl_lv2_read_class(const bl_lv2_reader *reader);

/* What a parameter is read from. */
typedef struct bl_lv2_control {
    const LilvNode *node; /* a port, or an lv2:Parameter */
    const char *symbol, *name;
    float initial; /* instead of lv2:default; NAN: none */
    bool is_integer, is_toggled;
} bl_lv2_control;

/* Fills in range, unit, choices and flags; `parameter` has `key`, `type` and `is_input`. False: it
   has one value only, info->default_value, and is no parameter. */
bool bl_lv2_read_control(const bl_lv2_reader *reader, const bl_lv2_control *control,
                         bl_parameter_info *info, bl_plug_in_parameter *parameter);
/* Adds it to the tables, with identifier, name and group. */
void bl_lv2_add_parameter(const bl_lv2_reader *reader, const bl_lv2_control *control,
                          bl_parameter_info info, bl_plug_in_parameter parameter);
/* Sets unit and name of a parameter's unit. */
void bl_lv2_read_unit(const bl_lv2_reader *reader, const LilvNode *node, bl_parameter_info *info);
/* NAN for a node that is no number, and for NULL. */
float bl_lv2_number(const LilvNode *node);
/* The default that a port states; 0 where it states none. */
float bl_lv2_default(const bl_lv2_reader *reader, const LilvNode *node);

/* The URIs of messages, sorted; `uris` is to be freed. */
typedef struct bl_lv2_messages {
    const char **uris;
    uint32_t count;
} bl_lv2_messages;
bl_lv2_messages bl_lv2_find_messages(const bl_lv2_reader *reader);
/* Adds them to the tables of parameters and properties; the state is the first property. */
void bl_lv2_read_messages(const bl_lv2_reader *reader, const bl_lv2_messages *messages);
/* The value that a preset's or the plug-in's own state has for a message; NAN: none. */
float bl_lv2_state_number(const bl_lv2_reader *reader, const LilvNode *subject, uint32_t key);

/* Whether instances get that feature; see lv2_features.c. */
bool bl_lv2_supports_feature(const char *uri);

/* Creates the LV2 instance. */
struct bl_instance;
bl_status bl_lv2_instantiate(struct bl_instance *instance, double sample_rate);
