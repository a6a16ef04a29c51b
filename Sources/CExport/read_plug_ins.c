/* Reads the file of a bundle: a line for each fact, a word and its values. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdio.h>

#include "plug_in.h"

typedef struct reader {
    bl_arena *arena;
    bl_plug_in *plug_ins;
    uint32_t count;
    char *rest; /* of the line */
    bool failed;
} reader;

/* A zeroed place at the end of an array, which grows by doubling. */
static void *append(reader *self, void *array_pointer, uint32_t *count, size_t size) {
    void **array = (void **)array_pointer;
    if ((*count & (*count - 1)) == 0) {
        void *larger = bl_arena_allocate(self->arena, *count > 0 ? 2 * *count : 1, size);
        if (larger == NULL) {
            self->failed = true;
            return NULL;
        }
        if (*count > 0) {
            memcpy(larger, *array, *count * size);
        }
        *array = larger;
    }
    *count += 1;
    return (char *)*array + (*count - 1) * size;
}

static const char *next_word(reader *self) {
    self->rest += strspn(self->rest, " ");
    char *word = self->rest;
    self->rest += strcspn(word, " ");
    if (*self->rest != 0) {
        *self->rest++ = 0;
    }
    self->failed = self->failed || *word == 0;
    return word;
}

static const char *copy(reader *self, const char *text) {
    return bl_arena_copy(self->arena, text, strlen(text) + 1, 1);
}

/* The rest of the line, with line breaks for `\n`. */
static const char *copy_text(reader *self) {
    char *end = self->rest;
    for (const char *from = self->rest; *from != 0; from += 1) {
        bool is_escaped = *from == '\\' && from[1] != 0;
        from += is_escaped;
        *end++ = is_escaped && *from == 'n' ? '\n' : *from;
    }
    *end = 0;
    return copy(self, self->rest);
}

static uint64_t next_number(reader *self) {
    char *end = NULL;
    const char *word = next_word(self);
    uint64_t number = strtoull(word, &end, 10);
    self->failed = self->failed || *end != 0;
    return number;
}

static uint32_t next_count(reader *self) {
    uint64_t number = next_number(self);
    self->failed = self->failed || number > UINT32_MAX;
    return (uint32_t)number;
}

static double next_real(reader *self) {
    char *end = NULL;
    const char *word = next_word(self);
    double real = strtod(word, &end);
    self->failed = self->failed || *end != 0;
    return real;
}

/* A node of the graph, or "rack". */
static bl_endpoint next_endpoint(reader *self) {
    const char *word = next_word(self);
    char *end = NULL;
    bool is_rack = strcmp(word, "rack") == 0;
    uint32_t node = is_rack ? BL_RACK : (uint32_t)strtoul(word, &end, 10);
    self->failed = self->failed || (!is_rack && *end != 0);
    return (bl_endpoint){node, next_count(self)};
}

static bl_component_description next_component(reader *self) {
    const unsigned char *text = (const unsigned char *)next_word(self);
    uint32_t codes[3] = {0};
    if (strlen((const char *)text) != 14) {
        self->failed = true;
        return (bl_component_description){0, 0, 0};
    }
    for (uint32_t index = 0; index < 3; index += 1) {
        const unsigned char *code = text + 5 * index;
        codes[index] = BL_FOUR_CHARACTER_CODE(code[0], code[1], code[2], code[3]);
    }
    return (bl_component_description){codes[0], codes[1], codes[2]};
}

static void read_unit(reader *self, bl_plug_in *plug_in) {
    bl_plug_in_unit *unit = append(self, &plug_in->units, &plug_in->unit_count, sizeof *unit);
    if (unit != NULL) {
        unit->component = next_component(self);
        unit->library = *self->rest != 0 ? copy(self, self->rest) : NULL;
    }
}

static void read_channels(reader *self, uint32_t **array, uint32_t *count) {
    uint32_t *channels = append(self, array, count, sizeof *channels);
    if (channels != NULL) {
        *channels = next_count(self);
    }
}

static void read_value(reader *self, bl_plug_in_unit *unit) {
    bl_preset_value *value = append(self, &unit->values, &unit->value_count, sizeof *value);
    if (value != NULL) {
        value->address = next_number(self);
        value->value = (float)next_real(self);
    }
}

static void read_property(reader *self, bl_plug_in *plug_in, bool is_in_bundle) {
    bl_plug_in_property *property =
        append(self, &plug_in->properties, &plug_in->property_count, sizeof *property);
    if (property != NULL) {
        property->unit = plug_in->unit_count - 1;
        property->index = next_count(self);
        property->is_in_bundle = is_in_bundle;
        property->text = copy_text(self);
    }
}

static void read_state(reader *self, bl_plug_in *plug_in) {
    bl_state_entry *entry = append(self, &plug_in->state, &plug_in->state_count, sizeof *entry);
    if (entry != NULL) {
        entry->unit = next_count(self);
        entry->index = next_count(self);
        entry->key = copy(self, self->rest);
    }
}

static void read_cable(reader *self, bl_plug_in *plug_in) {
    bl_cable *cable = append(self, &plug_in->cables, &plug_in->cable_count, sizeof *cable);
    if (cable != NULL) {
        cable->source = next_endpoint(self);
        cable->destination = next_endpoint(self);
        cable->flags = next_count(self);
        cable->source_channel = next_count(self);
        cable->destination_channel = next_count(self);
    }
}

static void read_midi_cable(reader *self, bl_plug_in *plug_in) {
    bl_midi_cable *cable =
        append(self, &plug_in->midi_cables, &plug_in->midi_cable_count, sizeof *cable);
    if (cable != NULL) {
        cable->source = next_endpoint(self);
        cable->destination = next_endpoint(self);
        cable->channels = (uint16_t)next_count(self);
        cable->lowest_note = (uint8_t)next_count(self);
        cable->note_count = (uint8_t)next_count(self);
    }
}

static void read_control(reader *self, bl_plug_in *plug_in) {
    bl_control *control =
        append(self, &plug_in->controls, &plug_in->control_count, sizeof *control);
    if (control != NULL) {
        control->port = next_count(self);
        control->source = (bl_control_source)next_count(self);
        control->number = next_count(self);
        control->channels = (uint16_t)next_count(self);
        control->bank_coarse = (uint8_t)next_count(self);
        control->bank_fine = (uint8_t)next_count(self);
        control->mode = (bl_control_mode)next_count(self);
        control->picks_up = next_count(self) != 0;
        control->scene = next_count(self);
        control->node = next_count(self);
        control->address = next_number(self);
        control->from = (float)next_real(self);
        control->to = (float)next_real(self);
        control->curve = (bl_parameter_curve)next_count(self);
    }
}

static void read_scene(reader *self, bl_plug_in *plug_in) {
    bl_plug_in_scene *scene = append(self, &plug_in->scenes, &plug_in->scene_count, sizeof *scene);
    if (scene != NULL) {
        scene->time = next_real(self);
    }
}

static void read_scene_value(reader *self, bl_plug_in *plug_in) {
    if (plug_in->scene_count == 0) {
        self->failed = true;
        return;
    }
    bl_plug_in_scene *scene = &plug_in->scenes[plug_in->scene_count - 1];
    bl_scene_value *value = append(self, &scene->values, &scene->value_count, sizeof *value);
    if (value != NULL) {
        value->node = next_count(self);
        value->address = next_number(self);
        value->value = (float)next_real(self);
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

static void read_port(reader *self, bl_plug_in *plug_in) {
    bl_port *port = append(self, &plug_in->ports, &plug_in->port_count, sizeof *port);
    const char *word = next_word(self);
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
        port->unit = next_count(self);
        self->failed = self->failed || port->unit >= plug_in->unit_count;
    }
    if (kind <= BL_PORT_METER) {
        port->address = next_number(self);
    }
}

/* A line about the plug-in as a whole; false: it is not one. */
static bool read_plug_in_line(reader *self, bl_plug_in *plug_in, const char *word) {
    if (strcmp(word, "block") == 0) {
        plug_in->block = next_count(self);
    } else if (strcmp(word, "tempo") == 0) {
        plug_in->tempo = next_real(self);
    } else if (strcmp(word, "input") == 0) {
        read_channels(self, &plug_in->inputs, &plug_in->input_count);
    } else if (strcmp(word, "output") == 0) {
        read_channels(self, &plug_in->outputs, &plug_in->output_count);
    } else if (strcmp(word, "midi_inputs") == 0) {
        plug_in->midi_input_count = next_count(self);
    } else if (strcmp(word, "unit") == 0) {
        read_unit(self, plug_in);
    } else if (strcmp(word, "cable") == 0) {
        read_cable(self, plug_in);
    } else if (strcmp(word, "midi_cable") == 0) {
        read_midi_cable(self, plug_in);
    } else if (strcmp(word, "control") == 0) {
        read_control(self, plug_in);
    } else if (strcmp(word, "scene") == 0) {
        read_scene(self, plug_in);
    } else if (strcmp(word, "scene_value") == 0) {
        read_scene_value(self, plug_in);
    } else if (strcmp(word, "port") == 0) {
        read_port(self, plug_in);
    } else if (strcmp(word, "state") == 0) {
        read_state(self, plug_in);
    } else {
        return false;
    }
    return true;
}

/* A line about the unit before it; false: it is not one. */
static bool read_unit_line(reader *self, bl_plug_in *plug_in, const char *word) {
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

static void read_line(reader *self, char *line) {
    self->rest = line;
    const char *word = next_word(self);
    if (strcmp(word, "plug-in") == 0) {
        bl_plug_in *plug_in = append(self, &self->plug_ins, &self->count, sizeof *plug_in);
        if (plug_in != NULL) {
            plug_in->descriptor.URI = copy(self, self->rest);
        }
    } else {
        bl_plug_in *plug_in = self->count > 0 ? &self->plug_ins[self->count - 1] : NULL;
        self->failed =
            self->failed || plug_in == NULL ||
            !(read_plug_in_line(self, plug_in, word) || read_unit_line(self, plug_in, word));
    }
}

static void read_lines(reader *self, FILE *file, const char *path) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = 0;
    uint32_t number = 0;
    while (!self->failed && (length = getline(&line, &capacity, file)) > 0) {
        number += 1;
        line[strcspn(line, "\n")] = 0;
        read_line(self, line);
    }
    if (self->failed) {
        fprintf(stderr, "backline: %s:%u: this line is not understood\n", path, number);
    }
    free(line);
}

uint32_t bl_read_plug_ins(const char *path, bl_arena *arena, bl_plug_in **plug_ins) {
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        fprintf(stderr, "backline: %s: %s\n", path, strerror(errno));
        return 0;
    }
    /* The host's language may write numbers with a comma. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t former = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    reader self = {.arena = arena};
    read_lines(&self, file, path);
    if (plain != (locale_t)0) {
        uselocale(former);
        freelocale(plain);
    }
    fclose(file);
    *plug_ins = self.plug_ins;
    return self.failed || arena->failed ? 0 : self.count;
}
