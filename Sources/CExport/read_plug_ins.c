/* Reads the file of a bundle: a line for each fact, a word and its values. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdio.h>

#include "fact_reader.h"

static void read_line(bl_fact_reader *self, char *line) {
    self->rest = line;
    const char *word = bl_fact_word(self);
    if (strcmp(word, "plug-in") == 0) {
        bl_plug_in *plug_in = bl_fact_append(self, &self->plug_ins, &self->count, sizeof *plug_in);
        if (plug_in != NULL) {
            plug_in->descriptor.URI = bl_fact_copy(self, self->rest);
        }
        return;
    }
    bl_plug_in *plug_in = self->count > 0 ? &self->plug_ins[self->count - 1] : NULL;
    self->failed = self->failed || plug_in == NULL || !bl_read_part(self, plug_in, word);
}

static void read_lines(bl_fact_reader *self, FILE *file, const char *path) {
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
    bl_fact_reader self = {.arena = arena};
    read_lines(&self, file, path);
    if (plain != (locale_t)0) {
        uselocale(former);
        freelocale(plain);
    }
    fclose(file);
    *plug_ins = self.plug_ins;
    return self.failed || arena->failed ? 0 : self.count;
}
