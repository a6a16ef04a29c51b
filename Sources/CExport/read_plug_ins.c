/* Reads the bundle's file: one line for each fact, a word and its values. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdio.h>

#include "fact_reader.h"
#include "plug_in.h"

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
        self->failed = self->failed || port->unit >= plug_in->plan.unit_count;
    }
    if (kind <= BL_PORT_METER) {
        port->address = bl_fact_number(self);
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

typedef struct plug_in_list {
    bl_plug_in *plug_ins;
    uint32_t count;
} plug_in_list;

static void read_line(bl_fact_reader *self, plug_in_list *list, char *line) {
    self->rest = line;
    const char *word = bl_fact_word(self);
    bl_plug_in *plug_in = list->count > 0 ? &list->plug_ins[list->count - 1] : NULL;
    if (strcmp(word, "plug-in") == 0) {
        plug_in = bl_fact_append(self, &list->plug_ins, &list->count, sizeof *plug_in);
        if (plug_in != NULL) {
            plug_in->descriptor.URI = plug_in->plan.name = bl_fact_copy(self, self->rest);
        }
    } else if (plug_in == NULL) {
        self->failed = true;
    } else if (strcmp(word, "port") == 0) {
        read_port(self, plug_in);
    } else if (strcmp(word, "state") == 0) {
        read_state(self, plug_in);
    } else if (self->failed || !bl_read_plan_line(self, &plug_in->plan, word)) {
        self->failed = true;
    }
}

static void read_lines(bl_fact_reader *self, plug_in_list *list, FILE *file, const char *path) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = 0;
    uint32_t number = 0;
    while (!self->failed && (length = getline(&line, &capacity, file)) > 0) {
        number += 1;
        line[strcspn(line, "\n")] = 0;
        read_line(self, list, line);
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
    /* The locale of the host may write numbers with a comma. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t former = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    bl_fact_reader self = {.arena = arena};
    plug_in_list list = {NULL, 0};
    read_lines(&self, &list, file, path);
    if (plain != (locale_t)0) {
        uselocale(former);
        freelocale(plain);
    }
    fclose(file);
    *plug_ins = list.plug_ins;
    return self.failed || arena->failed ? 0 : list.count;
}
