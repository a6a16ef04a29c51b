/* Reads the ports of an LV2 plug-in, and determines how the bridge handles each. */
#include <stdio.h>

#include "lv2_plug_in.h"
#include "text.h"

static bool is_a(const bl_lv2_reader *reader, const LilvPort *port, bl_word word) {
    return lilv_port_is_a(reader->source, port, bl_lv2_word(reader, word));
}

static bl_port_kind kind_of(const bl_lv2_reader *reader, const LilvPort *port) {
    return is_a(reader, port, BL_WORD_AUDIO_PORT) || is_a(reader, port, BL_WORD_CV_PORT)
               ? BL_PORT_AUDIO
           : is_a(reader, port, BL_WORD_CONTROL_PORT) ? BL_PORT_CONTROL
           : is_a(reader, port, BL_WORD_ATOM_PORT)    ? BL_PORT_ATOM
           : is_a(reader, port, BL_WORD_EVENT_PORT)   ? BL_PORT_EVENT
                                                      : BL_PORT_OTHER;
}

/* Returns the port's role by its designation, if the bridge uses it. */
static bl_port_role role_of(const bl_lv2_reader *reader, const LilvPort *port, bool is_input) {
    static const struct {
        bl_word word;
        bool is_input;
        bl_port_role role;
    } roles[] = {
        {BL_WORD_ENABLED, true, BL_ROLE_ENABLED},
        {BL_WORD_FREE_WHEELING, true, BL_ROLE_FREE_WHEELING},
        {BL_WORD_TEMPO, true, BL_ROLE_TEMPO},
        {BL_WORD_SPEED, true, BL_ROLE_SPEED},
        {BL_WORD_LATENCY, false, BL_ROLE_LATENCY},
    };
    if (!is_input && bl_lv2_has_property(reader, lilv_port_get_node(reader->source, port),
                                         BL_WORD_REPORTS_LATENCY)) {
        return BL_ROLE_LATENCY;
    }
    LilvNode *designation =
        lilv_port_get(reader->source, port, bl_lv2_word(reader, BL_WORD_DESIGNATION));
    bl_port_role role = BL_ROLE_PARAMETER;
    for (size_t index = 0; index < sizeof roles / sizeof *roles && designation != NULL;
         index += 1) {
        if (roles[index].is_input == is_input &&
            lilv_node_equals(designation, bl_lv2_word(reader, roles[index].word))) {
            role = roles[index].role;
        }
    }
    lilv_node_free(designation);
    return role;
}

static uint32_t minimum_size_of(const bl_lv2_reader *reader, const LilvPort *port) {
    LilvNode *size = lilv_port_get(reader->source, port, bl_lv2_word(reader, BL_WORD_MINIMUM_SIZE));
    int bytes = lilv_node_is_int(size) ? lilv_node_as_int(size) : 0;
    lilv_node_free(size);
    return bytes > 0 ? (uint32_t)bytes : 0;
}

static bool read_port(const bl_lv2_reader *reader, uint32_t index, char *message,
                      size_t message_size) {
    bl_plug_in *plug_in = reader->plug_in;
    const LilvPort *source = lilv_plugin_get_port_by_index(reader->source, index);
    if (source == NULL) {
        snprintf(message, message_size, "its description has no port %u", index);
        return false;
    }
    bl_plug_in_port *port = &plug_in->ports[index];
    const LilvNode *symbol = lilv_port_get_symbol(reader->source, source);
    port->symbol = bl_text_copy(&plug_in->arena, symbol != NULL ? lilv_node_as_string(symbol) : "");
    port->kind = kind_of(reader, source);
    port->is_input = is_a(reader, source, BL_WORD_INPUT_PORT);
    port->parameter = BL_BRIDGE_NO_PARAMETER;
    if (!port->is_input && !is_a(reader, source, BL_WORD_OUTPUT_PORT)) {
        snprintf(message, message_size, "its port “%s” is neither input nor output", port->symbol);
        return false;
    }
    const LilvNode *node = lilv_port_get_node(reader->source, source);
    if (port->kind == BL_PORT_OTHER &&
        !bl_lv2_has_property(reader, node, BL_WORD_CONNECTION_OPTIONAL)) {
        snprintf(message, message_size,
                 "its port “%s” is neither audio, CV, control, atom nor event, and not optional",
                 port->symbol);
        return false;
    }
    if (is_a(reader, source, BL_WORD_CV_PORT)) {
        port->initial = bl_lv2_default(reader, node);
    }
    if (port->kind == BL_PORT_CONTROL) {
        port->role = role_of(reader, source, port->is_input);
        plug_in->follows_host |= port->role >= BL_ROLE_ENABLED;
        port->initial = port->role == BL_ROLE_ENABLED ? 1 : port->role == BL_ROLE_TEMPO ? 120 : 0;
    }
    if (port->kind == BL_PORT_ATOM || port->kind == BL_PORT_EVENT) {
        port->has_midi = lilv_port_supports_event(reader->source, source,
                                                  bl_lv2_word(reader, BL_WORD_MIDI_EVENT));
        port->has_position =
            port->kind == BL_PORT_ATOM && port->is_input &&
            lilv_port_supports_event(reader->source, source, bl_lv2_word(reader, BL_WORD_POSITION));
        port->has_patch = port->kind == BL_PORT_ATOM &&
                          lilv_port_supports_event(reader->source, source,
                                                   bl_lv2_word(reader, BL_WORD_PATCH_MESSAGE));
        port->minimum_size = minimum_size_of(reader, source);
    }
    return true;
}

static bool is_optional(const bl_lv2_reader *reader, uint32_t index) {
    const LilvPort *port = lilv_plugin_get_port_by_index(reader->source, index);
    return bl_lv2_has_property(reader, lilv_port_get_node(reader->source, port),
                               BL_WORD_CONNECTION_OPTIONAL);
}

/* Numbers the MIDI cables and names the outputs. */
static void read_cables(const bl_lv2_reader *reader) {
    bl_plug_in *plug_in = reader->plug_in;
    const char **names = bl_arena_allocate(&plug_in->arena, plug_in->port_count + 1, sizeof *names);
    uint32_t cables[2] = {0, 0};
    bool needs_midi = false;
    for (uint32_t index = 0; index < plug_in->port_count; index += 1) {
        bl_plug_in_port *port = &plug_in->ports[index];
        if (!port->has_midi || cables[port->is_input] == 256) {
            port->has_midi = false;
            continue;
        }
        port->cable = cables[port->is_input]++;
        needs_midi = needs_midi || (port->is_input && !is_optional(reader, index));
        if (!port->is_input && names != NULL) {
            names[port->cable] = port->symbol;
        }
    }
    bl_unit_descriptor *unit = &plug_in->descriptor;
    unit->flags |= cables[true] > 0 ? BL_UNIT_MIDI_INPUT : 0;
    unit->flags |= cables[true] > 0 && !needs_midi ? BL_UNIT_MIDI_OPTIONAL : 0;
    unit->flags |= cables[false] > 0 ? BL_UNIT_MIDI_OUTPUT : 0;
    unit->virtual_midi_cable_count = cables[true];
    unit->midi_output_names = cables[false] > 1 ? names : NULL;
}

bool bl_lv2_read_ports(const bl_lv2_reader *reader, char *message, size_t message_size) {
    bl_plug_in *plug_in = reader->plug_in;
    plug_in->port_count = lilv_plugin_get_num_ports(reader->source);
    if (plug_in->port_count == 0) {
        snprintf(message, message_size, "its description names no port");
        return false;
    }
    if (plug_in->port_count > BL_BRIDGE_MOST_PORTS) {
        snprintf(message, message_size, "it has %u ports; %u are possible", plug_in->port_count,
                 BL_BRIDGE_MOST_PORTS);
        return false;
    }
    plug_in->ports =
        bl_arena_allocate(&plug_in->arena, plug_in->port_count, sizeof *plug_in->ports);
    for (uint32_t index = 0; index < plug_in->port_count; index += 1) {
        if (plug_in->ports == NULL || !read_port(reader, index, message, message_size)) {
            return false;
        }
    }
    read_cables(reader);
    return true;
}
