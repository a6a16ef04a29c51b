/* The lines about a plug-in and its units. */
#include "fact_reader.h"

static void read_unit(bl_fact_reader *self, bl_plug_in *plug_in) {
    bl_plug_in_unit *unit =
        bl_fact_append(self, &plug_in->units, &plug_in->unit_count, sizeof *unit);
    if (unit != NULL) {
        unit->component = bl_fact_component(self);
        unit->library = *self->rest != 0 ? bl_fact_copy(self, self->rest) : NULL;
    }
}

static void read_channels(bl_fact_reader *self, uint32_t **array, uint32_t *count) {
    uint32_t *channels = bl_fact_append(self, array, count, sizeof *channels);
    if (channels != NULL) {
        *channels = bl_fact_count(self);
    }
}

static void read_value(bl_fact_reader *self, bl_plug_in_unit *unit) {
    bl_preset_value *value = bl_fact_append(self, &unit->values, &unit->value_count, sizeof *value);
    if (value != NULL) {
        value->address = bl_fact_number(self);
        value->value = (float)bl_fact_real(self);
    }
}

static void read_property(bl_fact_reader *self, bl_plug_in *plug_in, bool is_in_bundle) {
    bl_plug_in_property *property =
        bl_fact_append(self, &plug_in->properties, &plug_in->property_count, sizeof *property);
    if (property != NULL) {
        property->unit = plug_in->unit_count - 1;
        property->index = bl_fact_count(self);
        property->is_in_bundle = is_in_bundle;
        property->text = bl_fact_copy_text(self);
    }
}

static void read_state(bl_fact_reader *self, bl_plug_in *plug_in) {
    bl_state_entry *entry =
        bl_fact_append(self, &plug_in->state, &plug_in->state_count, sizeof *entry);
    if (entry != NULL) {
        entry->unit = bl_fact_count(self);
        entry->index = bl_fact_count(self);
        entry->key = bl_fact_copy(self, self->rest);
    }
}

static void read_cable(bl_fact_reader *self, bl_plug_in *plug_in) {
    bl_cable *cable = bl_fact_append(self, &plug_in->cables, &plug_in->cable_count, sizeof *cable);
    if (cable != NULL) {
        cable->source = bl_fact_endpoint(self);
        cable->destination = bl_fact_endpoint(self);
        cable->flags = bl_fact_count(self);
        cable->source_channel = bl_fact_count(self);
        cable->destination_channel = bl_fact_count(self);
    }
}

static void read_midi_cable(bl_fact_reader *self, bl_plug_in *plug_in) {
    bl_midi_cable *cable =
        bl_fact_append(self, &plug_in->midi_cables, &plug_in->midi_cable_count, sizeof *cable);
    if (cable != NULL) {
        cable->source = bl_fact_endpoint(self);
        cable->destination = bl_fact_endpoint(self);
        cable->channels = (uint16_t)bl_fact_count(self);
        cable->lowest_note = (uint8_t)bl_fact_count(self);
        cable->note_count = (uint8_t)bl_fact_count(self);
    }
}

static void read_modulation(bl_fact_reader *self, bl_plug_in *plug_in) {
    bl_modulation *modulation =
        bl_fact_append(self, &plug_in->modulations, &plug_in->modulation_count, sizeof *modulation);
    if (modulation != NULL) {
        bl_endpoint source = bl_fact_endpoint(self);
        modulation->source_node = source.node;
        modulation->source_bus = source.bus;
        modulation->source_channel = bl_fact_count(self);
        modulation->node = bl_fact_count(self);
        modulation->address = bl_fact_number(self);
        modulation->depth = (float)bl_fact_real(self);
        modulation->is_squared = bl_fact_count(self) != 0;
        modulation->is_late = bl_fact_count(self) != 0;
    }
}

static void read_control(bl_fact_reader *self, bl_plug_in *plug_in) {
    bl_control *control =
        bl_fact_append(self, &plug_in->controls, &plug_in->control_count, sizeof *control);
    if (control != NULL) {
        control->port = bl_fact_count(self);
        control->source = (bl_control_source)bl_fact_count(self);
        control->number = bl_fact_count(self);
        control->channels = (uint16_t)bl_fact_count(self);
        control->bank_coarse = (uint8_t)bl_fact_count(self);
        control->bank_fine = (uint8_t)bl_fact_count(self);
        control->mode = (bl_control_mode)bl_fact_count(self);
        control->picks_up = bl_fact_count(self) != 0;
        control->scene = bl_fact_count(self);
        control->node = bl_fact_count(self);
        control->address = bl_fact_number(self);
        control->from = (float)bl_fact_real(self);
        control->to = (float)bl_fact_real(self);
        control->curve = (bl_parameter_curve)bl_fact_count(self);
    }
}

static void read_scene(bl_fact_reader *self, bl_plug_in *plug_in) {
    bl_plug_in_scene *scene =
        bl_fact_append(self, &plug_in->scenes, &plug_in->scene_count, sizeof *scene);
    if (scene != NULL) {
        scene->time = bl_fact_real(self);
    }
}

static void read_scene_value(bl_fact_reader *self, bl_plug_in *plug_in) {
    if (plug_in->scene_count == 0) {
        self->failed = true;
        return;
    }
    bl_plug_in_scene *scene = &plug_in->scenes[plug_in->scene_count - 1];
    bl_scene_value *value =
        bl_fact_append(self, &scene->values, &scene->value_count, sizeof *value);
    if (value != NULL) {
        value->node = bl_fact_count(self);
        value->address = bl_fact_number(self);
        value->value = (float)bl_fact_real(self);
    }
}

/* The word of each kind of port. */
static const char *const port_words[BL_PORT_KIND_COUNT] = {[BL_PORT_PARAMETER] = "parameter",
                                                           [BL_PORT_BUTTON] = "button",
                                                           [BL_PORT_METER] = "meter",
                                                           [BL_PORT_BYPASS] = "bypass",
                                                           [BL_PORT_ENABLED] = "enabled",
                                                           [BL_PORT_FREEWHEELING] = "freewheeling",
                                                           [BL_PORT_LATENCY] = "latency",
                                                           [BL_PORT_AUDIO_INPUT] = "audio_input",
                                                           [BL_PORT_AUDIO_OUTPUT] = "audio_output",
                                                           [BL_PORT_EVENT_INPUT] = "event_input",
                                                           [BL_PORT_EVENT_OUTPUT] = "event_output"};

static void read_port(bl_fact_reader *self, bl_plug_in *plug_in) {
    bl_port *port = bl_fact_append(self, &plug_in->ports, &plug_in->port_count, sizeof *port);
    const char *word = bl_fact_word(self);
    bl_port_kind kind = 0;
    while (kind < BL_PORT_KIND_COUNT && strcmp(port_words[kind], word) != 0) {
        kind += 1;
    }
    self->failed = self->failed || kind == BL_PORT_KIND_COUNT;
    if (port == NULL || self->failed) {
        return;
    }
    port->kind = kind;
    if (kind <= BL_PORT_BYPASS) {
        port->unit = bl_fact_count(self);
        self->failed = self->failed || port->unit >= plug_in->unit_count;
    }
    if (kind <= BL_PORT_METER) {
        port->address = bl_fact_number(self);
    }
}

static void read_block(bl_fact_reader *self, bl_plug_in *plug_in) {
    plug_in->block = bl_fact_count(self);
}

static void read_tempo(bl_fact_reader *self, bl_plug_in *plug_in) {
    plug_in->tempo = bl_fact_real(self);
}

static void read_input(bl_fact_reader *self, bl_plug_in *plug_in) {
    read_channels(self, &plug_in->inputs, &plug_in->input_count);
}

static void read_output(bl_fact_reader *self, bl_plug_in *plug_in) {
    read_channels(self, &plug_in->outputs, &plug_in->output_count);
}

static void read_midi_inputs(bl_fact_reader *self, bl_plug_in *plug_in) {
    plug_in->midi_input_count = bl_fact_count(self);
}

/* A line about the unit before it; false: it is not one. */
static bool read_unit_line(bl_fact_reader *self, bl_plug_in *plug_in, const char *word) {
    if (plug_in->unit_count == 0) {
        return false;
    }
    bl_plug_in_unit *unit = &plug_in->units[plug_in->unit_count - 1];
    if (strcmp(word, "in") == 0) {
        read_channels(self, &unit->inputs, &unit->input_count);
    } else if (strcmp(word, "out") == 0) {
        read_channels(self, &unit->outputs, &unit->output_count);
    } else if (strcmp(word, "value") == 0) {
        read_value(self, unit);
    } else if (strcmp(word, "text") == 0 || strcmp(word, "file") == 0) {
        read_property(self, plug_in, *word == 'f');
    } else if (strcmp(word, "bypassed") == 0) {
        unit->is_bypassed = true;
    } else if (strcmp(word, "spills") == 0) {
        unit->spills = true;
    } else {
        return false;
    }
    return true;
}

static const struct {
    const char *word;
    void (*read)(bl_fact_reader *reader, bl_plug_in *plug_in);
} parts[] = {
    {"block", read_block},
    {"tempo", read_tempo},
    {"input", read_input},
    {"output", read_output},
    {"midi_inputs", read_midi_inputs},
    {"unit", read_unit},
    {"cable", read_cable},
    {"midi_cable", read_midi_cable},
    {"modulation", read_modulation},
    {"control", read_control},
    {"scene", read_scene},
    {"scene_value", read_scene_value},
    {"port", read_port},
    {"state", read_state},
};

bool bl_read_part(bl_fact_reader *self, bl_plug_in *plug_in, const char *word) {
    for (size_t index = 0; index < sizeof parts / sizeof *parts; index += 1) {
        if (strcmp(parts[index].word, word) == 0) {
            parts[index].read(self, plug_in);
            return true;
        }
    }
    return read_unit_line(self, plug_in, word);
}
