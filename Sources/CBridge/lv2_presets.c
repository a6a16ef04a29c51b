/* The presets of an LV2 plug-in: their parameters, and the source of the rest of their state. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "atom_object.h"
#include "lv2_plug_in.h"
#include "range.h"
#include "text.h"

typedef struct preset_reader {
    const bl_lv2_reader *reader;
    bl_preset_value *values;
    size_t count;
} preset_reader;

static void add_value(preset_reader *preset, uint32_t index, float number) {
    const bl_plug_in *plug_in = preset->reader->plug_in;
    const bl_plug_in_parameter *parameter = &plug_in->parameters[index];
    const bl_parameter_info *info = &plug_in->descriptor.parameters[index];
    if (isnan(number) || !parameter->is_input || parameter->is_momentary) {
        return;
    }
    number = bl_range_from_port(parameter, number);
    if (info->unit == BL_UNIT_INDEXED || info->unit == BL_UNIT_BOOLEAN) {
        number = roundf(number);
    }
    number = fminf(fmaxf(number, info->minimum), info->maximum);
    for (size_t other = 0; other < preset->count; other += 1) {
        if (preset->values[other].address == index) {
            return;
        }
    }
    preset->values[preset->count++] = (bl_preset_value){index, number};
}

static void set_port(const char *symbol, void *context, const void *value, uint32_t size,
                     uint32_t type) {
    preset_reader *preset = context;
    const bl_plug_in *plug_in = preset->reader->plug_in;
    float number = 0;
    bool is_number = bl_atom_number(bl_urids_known(), type, value, size, &number);
    for (uint32_t index = 0; index < plug_in->port_count && is_number; index += 1) {
        const bl_plug_in_port *port = &plug_in->ports[index];
        if (port->parameter != BL_BRIDGE_NO_PARAMETER && strcmp(port->symbol, symbol) == 0) {
            add_value(preset, port->parameter, number);
        }
    }
}

static void set_messages(preset_reader *preset, const LilvNode *node) {
    const bl_plug_in *plug_in = preset->reader->plug_in;
    for (uint32_t index = 0; index < plug_in->descriptor.parameter_count; index += 1) {
        uint32_t key = plug_in->parameters[index].key;
        if (key != 0) {
            add_value(preset, index, bl_lv2_state_number(preset->reader, node, key));
        }
    }
}

static bool has_state(const bl_plug_in *plug_in) {
    return plug_in->descriptor.property_count > 0 && plug_in->properties[0].key == 0;
}

/* Returns bundle and URI of a preset that sets more than parameters: "<file:///…/> <URI>". */
static const char *state_of(const bl_lv2_reader *reader, const LilvNode *node) {
    LilvNode *file = bl_lv2_get(reader, node, BL_WORD_SEE_ALSO);
    /* A preset that names no file is described with the plug-in itself. */
    const LilvNode *source = file != NULL ? file : lilv_plugin_get_bundle_uri(reader->source);
    const char *place = lilv_node_is_uri(source) ? lilv_node_as_uri(source) : "";
    const char *end = strrchr(place, '/'), *uri = lilv_node_as_uri(node);
    char *text = NULL;
    if (strncmp(place, "file://", 7) == 0 && uri != NULL) {
        size_t length = (size_t)(end - place) + 1, size = length + strlen(uri) + sizeof "<> <>";
        text = bl_arena_allocate(&reader->plug_in->arena, 1, size);
        if (text != NULL) {
            snprintf(text, size, "<%.*s> <%s>", (int)length, place, uri);
        }
    }
    lilv_node_free(file);
    return text;
}

typedef struct read_presets {
    bl_factory_preset *presets;
    const char **states;
    uint32_t count;
} read_presets;

static const char *name_at(const void *table, uint32_t index) {
    return ((const bl_factory_preset *)table)[index].name;
}

static void read_preset(const bl_lv2_reader *reader, const LilvNode *node, read_presets *read) {
    const bl_plug_in *plug_in = reader->plug_in;
    bl_arena *arena = &reader->plug_in->arena;
    lilv_world_load_resource(reader->bridge->world, node);
    LilvState *state = lilv_state_new_from_world(reader->bridge->world, bl_urid_map(), node);
    if (state == NULL) {
        return;
    }
    preset_reader preset = {
        reader,
        bl_arena_allocate(arena, plug_in->descriptor.parameter_count, sizeof(bl_preset_value)), 0};
    size_t messages = 0;
    if (preset.values != NULL) {
        set_messages(&preset, node);
        messages = preset.count;
        lilv_state_emit_port_values(state, set_port, &preset);
    }
    bool is_more = has_state(plug_in) && lilv_state_get_num_properties(state) > messages;
    const char *text = is_more ? state_of(reader, node) : NULL;
    if (preset.count > 0 || text != NULL) {
        const char *name = bl_text_line(arena, lilv_state_get_label(state), "Preset");
        name = bl_text_unique(arena, bl_text_copy(arena, name), " ", name_at, read->presets,
                              read->count);
        read->presets[read->count] = (bl_factory_preset){name, preset.values, preset.count};
        read->states[read->count++] = text;
    }
    lilv_state_free(state);
}

static int by_name(const void *left, const void *right, void *presets) {
    const bl_factory_preset *table = presets;
    return strcmp(table[*(const uint32_t *)left].name, table[*(const uint32_t *)right].name);
}

/* Adds the presets sorted, since the world returns them unordered. */
static void add_sorted(const bl_lv2_reader *reader, const read_presets *read) {
    bl_plug_in *plug_in = reader->plug_in;
    bl_factory_preset *presets = bl_arena_allocate(&plug_in->arena, read->count, sizeof *presets);
    const char **states = bl_arena_allocate(&plug_in->arena, read->count, sizeof *states);
    uint32_t *order = bl_arena_allocate(&plug_in->arena, read->count, sizeof *order);
    if (presets == NULL || states == NULL || order == NULL) {
        return;
    }
    for (uint32_t index = 0; index < read->count; index += 1) {
        order[index] = index;
    }
    qsort_r(order, read->count, sizeof *order, by_name, read->presets);
    for (uint32_t index = 0; index < read->count; index += 1) {
        presets[index] = read->presets[order[index]];
        states[index] = read->states[order[index]];
    }
    plug_in->descriptor.factory_presets = presets;
    plug_in->descriptor.factory_preset_count = read->count;
    plug_in->preset_states = states;
}

void bl_lv2_read_presets(const bl_lv2_reader *reader) {
    LilvNodes *nodes = lilv_plugin_get_related(reader->source, bl_lv2_word(reader, BL_WORD_PRESET));
    uint32_t count = nodes != NULL ? lilv_nodes_size(nodes) : 0;
    bl_arena *arena = &reader->plug_in->arena;
    read_presets read = {bl_arena_allocate(arena, count, sizeof *read.presets),
                         bl_arena_allocate(arena, count, sizeof *read.states), 0};
    if (count > 0 && read.presets != NULL && read.states != NULL) {
        LILV_FOREACH(nodes, place, nodes) {
            read_preset(reader, lilv_nodes_get(nodes, place), &read);
        }
        add_sorted(reader, &read);
    }
    lilv_nodes_free(nodes);
}
