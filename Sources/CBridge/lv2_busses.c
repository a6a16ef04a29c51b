/* Maps port groups and designations of an LV2 plug-in to busses. */
#include "bus_list.h"
#include "lv2_plug_in.h"
#include "text.h"

/* Whether a group of ports has the property. */
static bool group_has(const bl_lv2_reader *reader, const LilvNode *group, bl_word word) {
    return lilv_world_ask(reader->bridge->world, group, bl_lv2_word(reader, word), NULL);
}

static bool is_main_group(const bl_lv2_reader *reader, const LilvNode *group, bool is_input) {
    return lilv_world_ask(reader->bridge->world, lilv_plugin_get_uri(reader->source),
                          bl_lv2_word(reader, is_input ? BL_WORD_MAIN_INPUT : BL_WORD_MAIN_OUTPUT),
                          group);
}

/* A group states its role by its property, or, as many do, by its symbol alone. */
static bool is_side_chain_group(const bl_lv2_reader *reader, const LilvNode *group,
                                const char *symbol) {
    return group_has(reader, group, BL_WORD_SIDE_CHAIN_OF) || strstr(symbol, "sidechain") != NULL ||
           strstr(symbol, "side_chain") != NULL;
}

static void add_port(const bl_lv2_reader *reader, bl_bus_list *list, uint32_t index) {
    bl_plug_in *plug_in = reader->plug_in;
    bl_plug_in_port *port = &plug_in->ports[index];
    const LilvPort *source = lilv_plugin_get_port_by_index(reader->source, index);
    const LilvNode *node = lilv_port_get_node(reader->source, source);
    bl_bus_entry bus = {.key = "", .name = port->symbol};
    bus.is_cv = lilv_port_is_a(reader->source, source, bl_lv2_word(reader, BL_WORD_CV_PORT));
    LilvNode *group = lilv_port_get(reader->source, source, bl_lv2_word(reader, BL_WORD_GROUP));
    bool is_loose = bl_lv2_has_property(reader, node, BL_WORD_CONNECTION_OPTIONAL);
    if (bus.is_cv) {
        bus.key = port->symbol;
        bus.is_optional = list->is_input;
    } else if (list->is_input && bl_lv2_has_property(reader, node, BL_WORD_IS_SIDE_CHAIN)) {
        bus.key = "sidechain";
        bus.is_optional = true;
    } else if (group != NULL) {
        LilvNode *symbol =
            lilv_world_get(reader->bridge->world, group, bl_lv2_word(reader, BL_WORD_SYMBOL), NULL);
        bus.key = lilv_node_as_string(group);
        bus.name = bl_lv2_consume_text(reader, symbol);
        bus.name = *bus.name != 0 ? bus.name : port->symbol;
        bus.is_main = is_main_group(reader, group, list->is_input);
        bus.is_optional = list->is_input && !bus.is_main &&
                          (is_side_chain_group(reader, group, bus.name) || is_loose);
    } else if (list->is_input && is_loose) {
        /* Besides inputs that are not optional these are a sidechain. */
        bus.key = "optional";
        bus.is_optional = true;
    }
    bl_bus_list_add(list, port, bus, &plug_in->arena);
    lilv_node_free(group);
}

static uint32_t read_direction(const bl_lv2_reader *reader, bool is_input,
                               const bl_bus_info **busses) {
    bl_plug_in *plug_in = reader->plug_in;
    bl_bus_list list = {.entries = bl_arena_allocate(&plug_in->arena, plug_in->port_count + 1,
                                                     sizeof *list.entries),
                        .is_input = is_input};
    for (uint32_t index = 0; index < plug_in->port_count && list.entries != NULL; index += 1) {
        if (plug_in->ports[index].kind == BL_PORT_AUDIO &&
            plug_in->ports[index].is_input == is_input) {
            add_port(reader, &list, index);
        }
    }
    return bl_bus_list_finish(&list, plug_in, busses);
}

void bl_lv2_read_busses(const bl_lv2_reader *reader) {
    bl_unit_descriptor *unit = &reader->plug_in->descriptor;
    unit->input_bus_count = read_direction(reader, true, &unit->input_busses);
    unit->output_bus_count = read_direction(reader, false, &unit->output_busses);
}
