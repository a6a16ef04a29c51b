/* The lines of a plan. */
#include "fact_reader.h"

static void read_unit(bl_fact_reader *self, bl_rack_plan *plan) {
    bl_planned_unit *unit = bl_fact_append(self, &plan->units, &plan->unit_count, sizeof *unit);
    if (unit != NULL) {
        unit->component = bl_fact_component(self);
        unit->name = bl_fact_copy(self, self->rest);
    }
}

static void read_channels(bl_fact_reader *self, void *array, uint32_t *count) {
    uint32_t *channels = bl_fact_append(self, array, count, sizeof *channels);
    if (channels != NULL) {
        *channels = bl_fact_count(self);
    }
}

static void read_port_name(bl_fact_reader *self, void *names, uint32_t *count) {
    const char **name = bl_fact_append(self, names, count, sizeof *name);
    if (name != NULL) {
        *name = bl_fact_copy(self, self->rest);
    }
}

static void read_value(bl_fact_reader *self, bl_planned_unit *unit) {
    bl_preset_value *value = bl_fact_append(self, &unit->values, &unit->value_count, sizeof *value);
    if (value != NULL) {
        value->address = bl_fact_number(self);
        value->value = (float)bl_fact_real(self);
    }
}

static void read_property(bl_fact_reader *self, bl_rack_plan *plan, bool is_in_folder) {
    bl_planned_property *property =
        bl_fact_append(self, &plan->properties, &plan->property_count, sizeof *property);
    if (property != NULL) {
        property->unit = plan->unit_count - 1;
        property->index = bl_fact_count(self);
        property->is_in_folder = is_in_folder;
        property->text = bl_fact_copy_text(self);
    }
}

static void read_cable(bl_fact_reader *self, bl_rack_plan *plan) {
    bl_cable *cable =
        bl_fact_append(self, &plan->graph.cables, &plan->graph.cable_count, sizeof *cable);
    if (cable != NULL) {
        cable->source = bl_fact_endpoint(self);
        cable->destination = bl_fact_endpoint(self);
        cable->flags = bl_fact_count(self);
        cable->source_channel = bl_fact_count(self);
        cable->destination_channel = bl_fact_count(self);
    }
}

static void read_midi_cable(bl_fact_reader *self, bl_rack_plan *plan) {
    bl_midi_cable *cable = bl_fact_append(self, &plan->graph.midi_cables,
                                          &plan->graph.midi_cable_count, sizeof *cable);
    if (cable != NULL) {
        cable->source = bl_fact_endpoint(self);
        cable->destination = bl_fact_endpoint(self);
        cable->channels = (uint16_t)bl_fact_count(self);
        cable->lowest_note = (uint8_t)bl_fact_count(self);
        cable->note_count = (uint8_t)bl_fact_count(self);
    }
}

static void read_modulation(bl_fact_reader *self, bl_rack_plan *plan) {
    bl_modulation *modulation = bl_fact_append(self, &plan->graph.modulations,
                                               &plan->graph.modulation_count, sizeof *modulation);
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

static void read_control(bl_fact_reader *self, bl_rack_plan *plan) {
    bl_control *control =
        bl_fact_append(self, &plan->graph.controls, &plan->graph.control_count, sizeof *control);
    if (control != NULL) {
        control->port = bl_fact_count(self);
        control->source = (bl_control_source)bl_fact_count(self);
        control->number = bl_fact_count(self);
        control->channels = (uint16_t)bl_fact_count(self);
        control->bank_coarse = (uint8_t)bl_fact_count(self);
        control->bank_fine = (uint8_t)bl_fact_count(self);
        control->mode = (bl_control_mode)bl_fact_count(self);
        control->picks_up = bl_fact_count(self) != 0;
        control->latches = bl_fact_count(self) != 0;
        control->scene = bl_fact_count(self);
        control->node = bl_fact_count(self);
        control->address = bl_fact_number(self);
        control->from = (float)bl_fact_real(self);
        control->to = (float)bl_fact_real(self);
        control->curve = (bl_parameter_curve)bl_fact_count(self);
    }
}

static void read_scene(bl_fact_reader *self, bl_rack_plan *plan) {
    bl_planned_scene *scene =
        bl_fact_append(self, &plan->scenes, &plan->scene_count, sizeof *scene);
    if (scene != NULL) {
        scene->time = bl_fact_real(self);
        scene->name = bl_fact_copy(self, self->rest);
    }
}

static void read_scene_value(bl_fact_reader *self, bl_rack_plan *plan) {
    if (plan->scene_count == 0) {
        self->failed = true;
        return;
    }
    bl_planned_scene *scene = &plan->scenes[plan->scene_count - 1];
    bl_scene_value *value =
        bl_fact_append(self, &scene->values, &scene->value_count, sizeof *value);
    if (value != NULL) {
        value->node = bl_fact_count(self);
        value->address = bl_fact_number(self);
        value->value = (float)bl_fact_real(self);
    }
}

static void read_block(bl_fact_reader *self, bl_rack_plan *plan) {
    plan->block = bl_fact_count(self);
}

static void read_tempo(bl_fact_reader *self, bl_rack_plan *plan) {
    plan->tempo = bl_fact_real(self);
}

/* Reads the channel count of a port, and its name. */
static void read_sound_port(bl_fact_reader *self, void *channels, void *names, uint32_t *count) {
    uint32_t same = *count;
    read_channels(self, channels, &same);
    read_port_name(self, names, count);
}

static void read_input(bl_fact_reader *self, bl_rack_plan *plan) {
    read_sound_port(self, &plan->graph.input_channel_counts, &plan->input_names,
                    &plan->graph.input_count);
}

static void read_output(bl_fact_reader *self, bl_rack_plan *plan) {
    read_sound_port(self, &plan->graph.output_channel_counts, &plan->output_names,
                    &plan->graph.output_count);
}

static void read_midi_input(bl_fact_reader *self, bl_rack_plan *plan) {
    read_port_name(self, &plan->midi_input_names, &plan->graph.midi_input_count);
}

static void read_midi_output(bl_fact_reader *self, bl_rack_plan *plan) {
    read_port_name(self, &plan->midi_output_names, &plan->graph.midi_output_count);
}

/* Reads a line about the unit before it; false if it is none. */
static bool read_unit_line(bl_fact_reader *self, bl_rack_plan *plan, const char *word) {
    if (plan->unit_count == 0) {
        return false;
    }
    bl_planned_unit *unit = &plan->units[plan->unit_count - 1];
    if (strcmp(word, "in") == 0) {
        read_channels(self, &unit->inputs, &unit->input_count);
    } else if (strcmp(word, "out") == 0) {
        read_channels(self, &unit->outputs, &unit->output_count);
    } else if (strcmp(word, "value") == 0) {
        read_value(self, unit);
    } else if (strcmp(word, "text") == 0 || strcmp(word, "file") == 0) {
        read_property(self, plan, *word == 'f');
    } else if (strcmp(word, "library") == 0) {
        unit->library = bl_fact_copy(self, self->rest);
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
    void (*read)(bl_fact_reader *reader, bl_rack_plan *plan);
} parts[] = {
    {"block", read_block},
    {"tempo", read_tempo},
    {"input", read_input},
    {"output", read_output},
    {"midi_input", read_midi_input},
    {"midi_output", read_midi_output},
    {"unit", read_unit},
    {"cable", read_cable},
    {"midi_cable", read_midi_cable},
    {"modulation", read_modulation},
    {"control", read_control},
    {"scene", read_scene},
    {"scene_value", read_scene_value},
};

bool bl_read_plan_line(bl_fact_reader *self, bl_rack_plan *plan, const char *word) {
    for (size_t index = 0; index < sizeof parts / sizeof *parts; index += 1) {
        if (strcmp(parts[index].word, word) == 0) {
            parts[index].read(self, plan);
            return true;
        }
    }
    return read_unit_line(self, plan, word);
}
