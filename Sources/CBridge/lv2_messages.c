/* The parameters and properties of an LV2 plug-in that use messages (LV2 patch). */
#include <math.h>

#include "lv2_plug_in.h"
#include "range.h"
#include "text.h"
#include "urid.h"

static const char *identifier_at(const void *table, uint32_t index) {
    return ((const bl_property_info *)table)[index].identifier;
}

static int by_text(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

bl_lv2_messages bl_lv2_find_messages(const bl_lv2_reader *reader) {
    bl_lv2_messages found = {NULL, 0};
    const bl_plug_in *plug_in = reader->plug_in;
    bool has_port = false;
    for (uint32_t index = 0; index < plug_in->port_count; index += 1) {
        has_port |= plug_in->ports[index].is_input && plug_in->ports[index].has_patch;
    }
    const bl_word words[] = {BL_WORD_WRITABLE, BL_WORD_READABLE};
    for (size_t word = 0; word < 2 && has_port; word += 1) {
        LilvNodes *nodes = lilv_plugin_get_value(reader->source, bl_lv2_word(reader, words[word]));
        uint32_t room = found.count + (nodes != NULL ? lilv_nodes_size(nodes) : 0);
        const char **longer = realloc(found.uris, (room + 1) * sizeof *longer);
        found.uris = longer != NULL ? longer : found.uris;
        LILV_FOREACH(nodes, place, nodes) {
            const LilvNode *node = lilv_nodes_get(nodes, place);
            if (longer != NULL && lilv_node_is_uri(node)) {
                /* The table of URIDs owns the text. */
                found.uris[found.count++] = bl_urid_text(bl_urid_of(lilv_node_as_uri(node)));
            }
        }
        lilv_nodes_free(nodes);
    }
    /* The world returns them unordered, and twice if readable as well as writable. */
    if (found.count > 0) {
        qsort(found.uris, found.count, sizeof *found.uris, by_text);
    }
    return found;
}

/* Returns the type of an lv2:Parameter's value; 0 if a unit cannot have it. */
static uint32_t type_of(const bl_lv2_reader *reader, const LilvNode *node) {
    static const char *const types[] = {LV2_ATOM__Float, LV2_ATOM__Double, LV2_ATOM__Int,
                                        LV2_ATOM__Long,  LV2_ATOM__Bool,   LV2_ATOM__String,
                                        LV2_ATOM__Path};
    LilvNode *range = bl_lv2_get(reader, node, BL_WORD_RANGE);
    uint32_t type = 0;
    for (size_t index = 0; index < sizeof types / sizeof *types; index += 1) {
        if (lilv_node_is_uri(range) && strcmp(lilv_node_as_uri(range), types[index]) == 0) {
            type = bl_urid_of(types[index]);
        }
    }
    lilv_node_free(range);
    return type;
}

/* Returns the end of a URI: "sample" for "http://…/eg-sampler#sample". */
static const char *symbol_of(const bl_lv2_reader *reader, const LilvNode *node, const char *uri) {
    const char *symbol = bl_lv2_consume_text(reader, bl_lv2_get(reader, node, BL_WORD_SYMBOL));
    const char *end = uri + strlen(uri);
    while (end > uri && strchr("#/:", end[-1]) == NULL) {
        end -= 1;
    }
    return *symbol != 0 ? symbol : end;
}

float bl_lv2_state_number(const bl_lv2_reader *reader, const LilvNode *subject, uint32_t key) {
    LilvWorld *world = reader->bridge->world;
    LilvNode *state = bl_lv2_get(reader, subject, BL_WORD_STATE);
    LilvNode *name = lilv_new_uri(world, bl_urid_text(key));
    LilvNode *value = state != NULL ? lilv_world_get(world, state, name, NULL) : NULL;
    float number = bl_lv2_number(value);
    lilv_node_free(value);
    lilv_node_free(name);
    lilv_node_free(state);
    return number;
}

static void read_parameter(const bl_lv2_reader *reader, bl_lv2_control *control,
                           bl_plug_in_parameter parameter) {
    bl_plug_in *plug_in = reader->plug_in;
    const bl_urids *urids = bl_urids_known();
    control->is_integer = parameter.type == urids->atom_int || parameter.type == urids->atom_long;
    control->is_toggled = parameter.type == urids->atom_bool;
    control->initial =
        bl_lv2_state_number(reader, lilv_plugin_get_uri(reader->source), parameter.key);
    bl_parameter_info info = {.unit = BL_UNIT_GENERIC};
    parameter.port = plug_in->port_count + plug_in->message_parameter_count;
    if (bl_lv2_read_control(reader, control, &info, &parameter)) {
        bl_lv2_add_parameter(reader, control, info, parameter);
        plug_in->message_parameter_count += 1;
    }
}

static void read_property(const bl_lv2_reader *reader, const bl_lv2_control *control, uint32_t key,
                          uint32_t type) {
    bl_plug_in *plug_in = reader->plug_in;
    bl_unit_descriptor *unit = &plug_in->descriptor;
    bl_property_info *infos = (bl_property_info *)unit->properties;
    const char *identifier = bl_text_identifier(&plug_in->arena, control->symbol, false);
    identifier = bl_text_unique(&plug_in->arena, identifier, "_", identifier_at, infos,
                                unit->property_count);
    plug_in->properties[unit->property_count] = (bl_plug_in_property){key, type};
    infos[unit->property_count++] =
        (bl_property_info){identifier, bl_text_line(&plug_in->arena, control->name, identifier),
                           type == bl_urids_known()->atom_path, 0};
}

static void read_message(const bl_lv2_reader *reader, const char *uri) {
    LilvWorld *world = reader->bridge->world;
    LilvNode *node = lilv_new_uri(world, uri);
    bool is_writable = lilv_world_ask(world, lilv_plugin_get_uri(reader->source),
                                      bl_lv2_word(reader, BL_WORD_WRITABLE), node);
    uint32_t key = bl_urid_of(uri), type = type_of(reader, node);
    bl_lv2_control control = {
        .node = node,
        .symbol = symbol_of(reader, node, uri),
        .name = bl_lv2_consume_text(reader, bl_lv2_get(reader, node, BL_WORD_LABEL)),
        .initial = NAN};
    if (type == bl_urids_known()->atom_string || type == bl_urids_known()->atom_path) {
        if (is_writable) {
            read_property(reader, &control, key, type);
        }
    } else if (type != 0) {
        read_parameter(reader, &control,
                       (bl_plug_in_parameter){.key = key, .type = type, .is_input = is_writable});
    }
    lilv_node_free(node);
}

void bl_lv2_read_messages(const bl_lv2_reader *reader, const bl_lv2_messages *messages) {
    bl_plug_in *plug_in = reader->plug_in;
    bl_unit_descriptor *unit = &plug_in->descriptor;
    bl_property_info *infos =
        bl_arena_allocate(&plug_in->arena, messages->count + 1, sizeof *infos);
    plug_in->properties =
        bl_arena_allocate(&plug_in->arena, messages->count + 1, sizeof *plug_in->properties);
    if (infos == NULL || plug_in->properties == NULL) {
        return;
    }
    unit->properties = infos;
    if (lilv_plugin_has_extension_data(reader->source,
                                       bl_lv2_word(reader, BL_WORD_STATE_INTERFACE))) {
        infos[unit->property_count++] = (bl_property_info){"state", "State", BL_PROPERTY_DATA, 0};
    }
    uint32_t properties = unit->property_count;
    for (uint32_t index = 0; index < messages->count; index += 1) {
        if (index == 0 || messages->uris[index] != messages->uris[index - 1]) {
            read_message(reader, messages->uris[index]);
        }
    }
    plug_in->has_messages =
        plug_in->message_parameter_count > 0 || unit->property_count > properties;
}
