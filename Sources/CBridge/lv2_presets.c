/* The presets of an LV2 plug-in, as far as they set parameters. */
#include <math.h>

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

static const char *name_at(const void *table, uint32_t index) {
    return ((const bl_factory_preset *)table)[index].name;
}

static void read_preset(const bl_lv2_reader *reader, const LilvNode *node,
                        bl_factory_preset *presets) {
    bl_unit_descriptor *unit = &reader->plug_in->descriptor;
    bl_arena *arena = &reader->plug_in->arena;
    lilv_world_load_resource(reader->bridge->world, node);
    LilvState *state = lilv_state_new_from_world(reader->bridge->world, bl_urid_map(), node);
    if (state == NULL) {
        return;
    }
    preset_reader preset = {
        reader, bl_arena_allocate(arena, unit->parameter_count, sizeof(bl_preset_value)), 0};
    if (preset.values != NULL) {
        lilv_state_emit_port_values(state, set_port, &preset);
        set_messages(&preset, node);
    }
    if (preset.count > 0) {
        const char *name = bl_text_line(arena, lilv_state_get_label(state), "Preset");
        name = bl_text_unique(arena, bl_text_copy(arena, name), " ", name_at, presets,
                              unit->factory_preset_count);
        presets[unit->factory_preset_count++] =
            (bl_factory_preset){name, preset.values, preset.count};
    }
    lilv_state_free(state);
}

static int by_name(const void *left, const void *right) {
    return strcmp(((const bl_factory_preset *)left)->name,
                  ((const bl_factory_preset *)right)->name);
}

void bl_lv2_read_presets(const bl_lv2_reader *reader) {
    LilvNodes *nodes = lilv_plugin_get_related(reader->source, bl_lv2_word(reader, BL_WORD_PRESET));
    uint32_t count = nodes != NULL ? lilv_nodes_size(nodes) : 0;
    bl_factory_preset *presets = bl_arena_allocate(&reader->plug_in->arena, count, sizeof *presets);
    bl_unit_descriptor *unit = &reader->plug_in->descriptor;
    if (count > 0 && presets != NULL) {
        LILV_FOREACH(nodes, place, nodes) {
            read_preset(reader, lilv_nodes_get(nodes, place), presets);
        }
        /* The world has them in no order. */
        qsort(presets, unit->factory_preset_count, sizeof *presets, by_name);
        unit->factory_presets = presets;
    }
    lilv_nodes_free(nodes);
}
