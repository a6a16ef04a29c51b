/* The control ports of an LV2 plug-in as parameters. */
#include <math.h>

#include "lv2_plug_in.h"
#include "range.h"
#include "text.h"

static const char *identifier_at(const void *table, uint32_t index) {
    return ((const bl_parameter_info *)table)[index].identifier;
}

static float number(const LilvNode *node) {
    return lilv_node_is_float(node) || lilv_node_is_int(node) ? lilv_node_as_float(node)
           : lilv_node_is_bool(node)                          ? lilv_node_as_bool(node)
                                                              : NAN;
}

static bl_stated_range stated_range(const bl_lv2_reader *reader, const LilvPort *port) {
    LilvNode *preset = NULL, *minimum = NULL, *maximum = NULL;
    lilv_port_get_range(reader->source, port, &preset, &minimum, &maximum);
    bl_stated_range range = {
        .minimum = number(minimum),
        .maximum = number(maximum),
        .default_value = number(preset),
        .is_logarithmic = bl_lv2_has_property(reader, port, BL_WORD_LOGARITHMIC),
        .is_integer = bl_lv2_has_property(reader, port, BL_WORD_INTEGER) ||
                      bl_lv2_has_property(reader, port, BL_WORD_ENUMERATION),
        .is_toggled = bl_lv2_has_property(reader, port, BL_WORD_TOGGLED),
        .is_scaled = bl_lv2_has_property(reader, port, BL_WORD_SAMPLE_RATE),
    };
    /* The specification leaves it open; a default within the bounds is meant like them. */
    range.is_default_scaled = range.is_scaled && range.default_value <= range.maximum;
    lilv_node_free(preset);
    lilv_node_free(minimum);
    lilv_node_free(maximum);
    return range;
}

static void read_choices(const bl_lv2_reader *reader, const LilvPort *port, bl_parameter_info *info,
                         bl_plug_in_parameter *parameter) {
    LilvScalePoints *points = lilv_port_get_scale_points(reader->source, port);
    uint32_t count = points != NULL ? lilv_scale_points_size(points) : 0, filled = 0;
    bl_named_value *values = count > 0 ? calloc(count, sizeof *values) : NULL;
    if (values != NULL) {
        LILV_FOREACH(scale_points, place, points) {
            const LilvScalePoint *point = lilv_scale_points_get(points, place);
            values[filled++] =
                (bl_named_value){number(lilv_scale_point_get_value(point)),
                                 lilv_node_as_string(lilv_scale_point_get_label(point))};
        }
        bl_range_name_values(values, filled, &reader->plug_in->arena, info, parameter);
    }
    free(values);
    lilv_scale_points_free(points);
}

/* The group's place in the descriptor's table, which grows by it; NULL for none. */
static const char *read_group(const bl_lv2_reader *reader, const LilvPort *port,
                              bl_parameter_group_info *groups, uint32_t *count) {
    bl_arena *arena = &reader->plug_in->arena;
    LilvNode *group = lilv_port_get(reader->source, port, bl_lv2_word(reader, BL_WORD_GROUP));
    if (group == NULL) {
        return NULL;
    }
    LilvWorld *world = reader->bridge->world;
    const char *symbol = bl_lv2_take_text(
        reader, lilv_world_get(world, group, bl_lv2_word(reader, BL_WORD_SYMBOL), NULL));
    const char *name = bl_lv2_take_text(
        reader, lilv_world_get(world, group, bl_lv2_word(reader, BL_WORD_NAME), NULL));
    if (*name == 0) {
        name = bl_lv2_take_text(
            reader, lilv_world_get(world, group, bl_lv2_word(reader, BL_WORD_LABEL), NULL));
    }
    lilv_node_free(group);
    if (*symbol == 0) {
        return NULL;
    }
    const char *key = bl_text_identifier(arena, symbol, false);
    for (uint32_t index = 0; index < *count; index += 1) {
        if (strcmp(groups[index].key_path, key) == 0) {
            return groups[index].key_path;
        }
    }
    groups[(*count)++] = (bl_parameter_group_info){key, bl_text_line(arena, name, key)};
    return key;
}

static void read_parameter(const bl_lv2_reader *reader, uint32_t index,
                           bl_parameter_group_info *groups) {
    bl_plug_in *plug_in = reader->plug_in;
    bl_plug_in_port *port = &plug_in->ports[index];
    bl_unit_descriptor *unit = &plug_in->descriptor;
    const LilvPort *source = lilv_plugin_get_port_by_index(reader->source, index);
    bl_parameter_info info = {.unit = BL_UNIT_GENERIC};
    bl_plug_in_parameter parameter = {.port = index, .is_input = port->is_input};
    bl_stated_range stated = stated_range(reader, source);
    bool has_range = bl_range_settle(&stated, &plug_in->arena, &info, &parameter);
    if (!stated.is_toggled) {
        bl_lv2_read_unit(reader, source, &info);
        if (bl_lv2_has_property(reader, source, BL_WORD_ENUMERATION)) {
            read_choices(reader, source, &info, &parameter);
            has_range = info.minimum < info.maximum;
        }
        if (has_range && parameter.is_whole) {
            bl_range_name_whole_numbers(&plug_in->arena, &info);
        }
    } else if (bl_lv2_has_property(reader, source, BL_WORD_TRIGGER) && port->is_input) {
        info.flags = BL_PARAMETER_BUTTON_FLAGS;
        info.default_value = 0;
        parameter.is_momentary = true;
    }
    port->initial = bl_range_to_port(&parameter, info.default_value, BL_BRIDGE_DESCRIBED_RATE);
    if (!has_range && port->is_input) {
        port->role = BL_ROLE_CONSTANT;
        return;
    }
    if (!has_range) {
        info.maximum = info.minimum + 1;
    }
    if (!port->is_input) {
        info.flags = BL_PARAMETER_READABLE;
    } else if (bl_lv2_has_property(reader, source, BL_WORD_EXPENSIVE) ||
               bl_lv2_has_property(reader, source, BL_WORD_CAUSES_ARTIFACTS)) {
        info.flags &= ~(uint32_t)BL_PARAMETER_RAMPABLE;
    }
    info.identifier =
        bl_text_unique(&plug_in->arena, bl_text_identifier(&plug_in->arena, port->symbol, false),
                       "_", identifier_at, unit->parameters, unit->parameter_count);
    LilvNode *name = lilv_port_get_name(reader->source, source);
    info.name = bl_text_line(&plug_in->arena, bl_lv2_take_text(reader, name), info.identifier);
    info.group = read_group(reader, source, groups, &unit->parameter_group_count);
    info.overview_rank = bl_lv2_has_property(reader, source, BL_WORD_NOT_ON_GUI) ? UINT32_MAX : 0;
    port->parameter = unit->parameter_count;
    plug_in->parameters[unit->parameter_count] = parameter;
    ((bl_parameter_info *)unit->parameters)[unit->parameter_count++] = info;
}

/* A key path is a group or a parameter, never both: such a group is dropped. */
static void drop_ambiguous_groups(bl_unit_descriptor *unit, bl_parameter_group_info *groups) {
    for (uint32_t group = 0; group < unit->parameter_group_count; group += 1) {
        bool is_parameter = false;
        for (uint32_t index = 0; index < unit->parameter_count; index += 1) {
            is_parameter = is_parameter || (strcmp(unit->parameters[index].identifier,
                                                   groups[group].key_path) == 0);
        }
        for (uint32_t index = 0; index < unit->parameter_count && is_parameter; index += 1) {
            bl_parameter_info *info = (bl_parameter_info *)&unit->parameters[index];
            if (info->group == groups[group].key_path) {
                info->group = NULL;
            }
        }
        if (is_parameter) {
            groups[group--] = groups[--unit->parameter_group_count];
        }
    }
}

void bl_lv2_read_parameters(const bl_lv2_reader *reader) {
    bl_plug_in *plug_in = reader->plug_in;
    bl_unit_descriptor *unit = &plug_in->descriptor;
    uint32_t count = plug_in->port_count + 1;
    bl_parameter_group_info *groups = bl_arena_allocate(&plug_in->arena, count, sizeof *groups);
    unit->parameters = bl_arena_allocate(&plug_in->arena, count, sizeof *unit->parameters);
    plug_in->parameters = bl_arena_allocate(&plug_in->arena, count, sizeof *plug_in->parameters);
    if (groups == NULL || unit->parameters == NULL || plug_in->parameters == NULL) {
        return;
    }
    unit->parameter_groups = groups;
    for (uint32_t index = 0; index < plug_in->port_count; index += 1) {
        const bl_plug_in_port *port = &plug_in->ports[index];
        if (port->kind == BL_PORT_CONTROL && port->role == BL_ROLE_PARAMETER) {
            read_parameter(reader, index, groups);
        }
    }
    drop_ambiguous_groups(unit, groups);
}
