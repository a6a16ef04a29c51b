/* The parameters of an LV2 plug-in: control ports, and then messages. */
#include <math.h>

#include "lv2_plug_in.h"
#include "range.h"

static void read_port(const bl_lv2_reader *reader, uint32_t index) {
    bl_plug_in *plug_in = reader->plug_in;
    bl_plug_in_port *port = &plug_in->ports[index];
    const LilvPort *source = lilv_plugin_get_port_by_index(reader->source, index);
    bl_lv2_control control = {
        .node = lilv_port_get_node(reader->source, source),
        .symbol = port->symbol,
        .name = bl_lv2_consume_text(reader, lilv_port_get_name(reader->source, source)),
        .initial = NAN};
    bl_parameter_info info = {.unit = BL_UNIT_GENERIC};
    bl_plug_in_parameter parameter = {.port = index, .is_input = port->is_input};
    bool is_parameter = bl_lv2_read_control(reader, &control, &info, &parameter);
    port->initial = bl_range_to_port(&parameter, info.default_value, BL_BRIDGE_DESCRIBED_RATE);
    if (!is_parameter) {
        port->role = BL_ROLE_CONSTANT;
        return;
    }
    port->parameter = plug_in->descriptor.parameter_count;
    bl_lv2_add_parameter(reader, &control, info, parameter);
}

/* Drops each group whose key path is also a parameter's, since a key path must be unique. */
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
    bl_lv2_messages messages = bl_lv2_find_messages(reader);
    uint32_t count = plug_in->port_count + messages.count + 1;
    bl_parameter_group_info *groups = bl_arena_allocate(&plug_in->arena, count, sizeof *groups);
    unit->parameters = bl_arena_allocate(&plug_in->arena, count, sizeof *unit->parameters);
    plug_in->parameters = bl_arena_allocate(&plug_in->arena, count, sizeof *plug_in->parameters);
    unit->parameter_groups = groups;
    for (uint32_t index = 0; index < plug_in->port_count && !plug_in->arena.failed; index += 1) {
        const bl_plug_in_port *port = &plug_in->ports[index];
        if (port->kind == BL_PORT_CONTROL && port->role == BL_ROLE_PARAMETER) {
            read_port(reader, index);
        }
    }
    if (!plug_in->arena.failed) {
        bl_lv2_read_messages(reader, &messages);
        drop_ambiguous_groups(unit, groups);
    }
    free(messages.uris);
}
