/* Reads the description of an LV2 plug-in, part by part. [control] */
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
/* Returns a subject's value for that property, to be freed; NULL if it has none. */
static inline LilvNode *bl_lv2_get(const bl_lv2_reader *reader, const LilvNode *subject,
                                   bl_word word) {
    return lilv_world_get(reader->bridge->world, subject, reader->bridge->words[word], NULL);
}
/* Whether a port or an lv2:Parameter has the property. */
static inline bool bl_lv2_has_property(const bl_lv2_reader *reader, const LilvNode *node,
                                       bl_word word) {
    return lilv_world_ask(reader->bridge->world, node, reader->bridge->words[BL_WORD_PORT_PROPERTY],
                          reader->bridge->words[word]);
}
/* Returns a node's text, allocated in the reader's arena; "" for NULL. Frees the node. */
const char *bl_lv2_consume_text(const bl_lv2_reader *reader, LilvNode *node);

/* Each fills in its part of the plug-in. */
bool bl_lv2_read_ports(const bl_lv2_reader *reader, char *message, size_t message_size);
void bl_lv2_read_busses(const bl_lv2_reader *reader);
void bl_lv2_read_parameters(const bl_lv2_reader *reader);
void bl_lv2_read_presets(const bl_lv2_reader *reader);
void bl_lv2_read_class(const bl_lv2_reader *reader);

/* The source of a parameter's description. */
typedef struct bl_lv2_control {
    const LilvNode *node; /* a port, or an lv2:Parameter */
    const char *symbol, *name;
    float initial; /* instead of lv2:default; NAN: none */
    bool is_integer, is_toggled;
} bl_lv2_control;

/* Fills in range, unit, choices and flags; `parameter` has `key`, `type` and `is_input`. False if
   it has only one value, info->default_value, and is not a parameter. */
bool bl_lv2_read_control(const bl_lv2_reader *reader, const bl_lv2_control *control,
                         bl_parameter_info *info, bl_plug_in_parameter *parameter);
/* Adds a parameter to the tables, with identifier, name and group. */
void bl_lv2_add_parameter(const bl_lv2_reader *reader, const bl_lv2_control *control,
                          bl_parameter_info info, bl_plug_in_parameter parameter);
/* Sets a parameter's unit and the unit's name. */
void bl_lv2_read_unit(const bl_lv2_reader *reader, const LilvNode *node, bl_parameter_info *info);
/* Returns a node's number; NAN if it is none, and for NULL. */
float bl_lv2_number(const LilvNode *node);
/* Returns the default that a port states; 0 if it states none. */
float bl_lv2_default(const bl_lv2_reader *reader, const LilvNode *node);

/* The URIs of messages, sorted; `uris` is to be freed. */
typedef struct bl_lv2_messages {
    const char **uris;
    uint32_t count;
} bl_lv2_messages;
bl_lv2_messages bl_lv2_find_messages(const bl_lv2_reader *reader);
/* Adds the messages to the tables of parameters and properties; the state is the first property. */
void bl_lv2_read_messages(const bl_lv2_reader *reader, const bl_lv2_messages *messages);
/* Returns the value that a preset's or the plug-in's own state has for a message; NAN for none. */
float bl_lv2_state_number(const bl_lv2_reader *reader, const LilvNode *subject, uint32_t key);

/* Whether instances get that feature; see lv2_features.c. */
bool bl_lv2_supports_feature(const char *uri);

/* Creates the LV2 instance. */
struct bl_instance;
bl_status bl_lv2_instantiate(struct bl_instance *instance, double sample_rate);
