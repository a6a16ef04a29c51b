/* One parameter of an LV2 plug-in: a control port and an lv2:Parameter are described by the same
   properties. */
#include <math.h>

#include "lv2_plug_in.h"
#include "range.h"
#include "text.h"

static const char *identifier_at(const void *table, uint32_t index) {
    return ((const bl_parameter_info *)table)[index].identifier;
}

float bl_lv2_number(const LilvNode *node) {
    /* A literal of a type that lilv does not read, such as xsd:float, is a string to it. */
    const char *text = lilv_node_is_string(node) ? lilv_node_as_string(node) : "";
    char *end = NULL;
    float number = strtof(text, &end);
    return lilv_node_is_float(node) || lilv_node_is_int(node) ? lilv_node_as_float(node)
           : lilv_node_is_bool(node)                          ? lilv_node_as_bool(node)
           : *text != 0 && *end == 0                          ? number
                                                              : NAN;
}

static float consume_number(LilvNode *node) {
    float number = bl_lv2_number(node);
    lilv_node_free(node);
    return number;
}

float bl_lv2_default(const bl_lv2_reader *reader, const LilvNode *node) {
    float number = consume_number(bl_lv2_get(reader, node, BL_WORD_DEFAULT));
    return isfinite(number) ? number : 0;
}

static bl_stated_range stated_range(const bl_lv2_reader *reader, const bl_lv2_control *control) {
    const LilvNode *node = control->node;
    bl_stated_range range = {
        .minimum = consume_number(bl_lv2_get(reader, node, BL_WORD_MINIMUM)),
        .maximum = consume_number(bl_lv2_get(reader, node, BL_WORD_MAXIMUM)),
        .default_value = consume_number(bl_lv2_get(reader, node, BL_WORD_DEFAULT)),
        .is_logarithmic = bl_lv2_has_property(reader, node, BL_WORD_LOGARITHMIC),
        .is_integer = control->is_integer || bl_lv2_has_property(reader, node, BL_WORD_INTEGER) ||
                      bl_lv2_has_property(reader, node, BL_WORD_ENUMERATION),
        .is_toggled = control->is_toggled || bl_lv2_has_property(reader, node, BL_WORD_TOGGLED),
        .is_scaled = bl_lv2_has_property(reader, node, BL_WORD_SAMPLE_RATE),
    };
    /* The specification leaves it open; assume that a default within the bounds is scaled like
       them. */
    range.is_default_scaled = range.is_scaled && range.default_value <= range.maximum;
    range.default_value = isnan(control->initial) ? range.default_value : control->initial;
    return range;
}

static void read_choices(const bl_lv2_reader *reader, const LilvNode *node, bl_parameter_info *info,
                         bl_plug_in_parameter *parameter) {
    LilvNodes *points = lilv_world_find_nodes(reader->bridge->world, node,
                                              bl_lv2_word(reader, BL_WORD_SCALE_POINT), NULL);
    uint32_t count = points != NULL ? lilv_nodes_size(points) : 0, filled = 0;
    bl_named_value *values = count > 0 ? calloc(count, sizeof *values) : NULL;
    if (values != NULL) {
        LILV_FOREACH(nodes, place, points) {
            const LilvNode *point = lilv_nodes_get(points, place);
            values[filled++] = (bl_named_value){
                consume_number(bl_lv2_get(reader, point, BL_WORD_VALUE)),
                bl_lv2_consume_text(reader, bl_lv2_get(reader, point, BL_WORD_LABEL))};
        }
        bl_range_name_values(values, filled, &reader->plug_in->arena, info, parameter);
    }
    free(values);
    lilv_nodes_free(points);
}

/* Finds or adds the group in the descriptor's table; NULL for none. */
static const char *read_group(const bl_lv2_reader *reader, const LilvNode *node) {
    bl_arena *arena = &reader->plug_in->arena;
    bl_unit_descriptor *unit = &reader->plug_in->descriptor;
    LilvNode *group = bl_lv2_get(reader, node, BL_WORD_GROUP);
    if (group == NULL) {
        return NULL;
    }
    const char *symbol = bl_lv2_consume_text(reader, bl_lv2_get(reader, group, BL_WORD_SYMBOL));
    const char *name = bl_lv2_consume_text(reader, bl_lv2_get(reader, group, BL_WORD_NAME));
    if (*name == 0) {
        name = bl_lv2_consume_text(reader, bl_lv2_get(reader, group, BL_WORD_LABEL));
    }
    lilv_node_free(group);
    if (*symbol == 0) {
        return NULL;
    }
    const char *key = bl_text_identifier(arena, symbol, false);
    for (uint32_t index = 0; index < unit->parameter_group_count; index += 1) {
        if (strcmp(unit->parameter_groups[index].key_path, key) == 0) {
            return unit->parameter_groups[index].key_path;
        }
    }
    ((bl_parameter_group_info *)unit->parameter_groups)[unit->parameter_group_count++] =
        (bl_parameter_group_info){key, bl_text_line(arena, name, key)};
    return key;
}

bool bl_lv2_read_control(const bl_lv2_reader *reader, const bl_lv2_control *control,
                         bl_parameter_info *info, bl_plug_in_parameter *parameter) {
    bl_plug_in *plug_in = reader->plug_in;
    const LilvNode *node = control->node;
    bl_stated_range stated = stated_range(reader, control);
    bool has_range = bl_range_resolve(&stated, &plug_in->arena, info, parameter);
    if (!stated.is_toggled) {
        bl_lv2_read_unit(reader, node, info);
        if (bl_lv2_has_property(reader, node, BL_WORD_ENUMERATION)) {
            read_choices(reader, node, info, parameter);
            has_range = info->minimum < info->maximum;
        }
        if (has_range && parameter->is_whole) {
            bl_range_name_whole_numbers(&plug_in->arena, info);
        }
    } else if (bl_lv2_has_property(reader, node, BL_WORD_TRIGGER) && parameter->is_input &&
               parameter->key == 0) {
        info->flags = BL_PARAMETER_BUTTON_FLAGS;
        info->default_value = 0;
        parameter->is_momentary = true;
    }
    if (!parameter->is_input) {
        info->flags = BL_PARAMETER_READABLE;
        info->maximum = has_range ? info->maximum : info->minimum + 1;
    } else if (parameter->key != 0 || bl_lv2_has_property(reader, node, BL_WORD_EXPENSIVE) ||
               bl_lv2_has_property(reader, node, BL_WORD_CAUSES_ARTIFACTS)) {
        info->flags &= ~(uint32_t)BL_PARAMETER_RAMPABLE;
    }
    return has_range || !parameter->is_input;
}

void bl_lv2_add_parameter(const bl_lv2_reader *reader, const bl_lv2_control *control,
                          bl_parameter_info info, bl_plug_in_parameter parameter) {
    bl_plug_in *plug_in = reader->plug_in;
    bl_unit_descriptor *unit = &plug_in->descriptor;
    const char *identifier = bl_text_identifier(&plug_in->arena, control->symbol, false);
    info.identifier = bl_text_unique(&plug_in->arena, identifier, "_", identifier_at,
                                     unit->parameters, unit->parameter_count);
    info.name = bl_text_line(&plug_in->arena, control->name, info.identifier);
    info.group = read_group(reader, control->node);
    info.overview_rank =
        bl_lv2_has_property(reader, control->node, BL_WORD_NOT_ON_GUI) ? UINT32_MAX : 0;
    plug_in->parameters[unit->parameter_count] = parameter;
    ((bl_parameter_info *)unit->parameters)[unit->parameter_count++] = info;
}
