/* Reads Scala's files: lines; those that start with "!" are comments. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_open.h"
#include "base/number.h"
#include "base/tuning.h"

enum { MOST_STEPS = 1024, LONGEST_LINE = 1024, UNMAPPED = -1 };

/* The UTF-8 byte order mark; some editors start a text with it. */
#define BYTE_ORDER_MARK "\357\273\277"

/* The most octaves of a step, and from 440 Hz to a playing key: far beyond the audible range. */
#define MOST_OCTAVES 20

typedef struct tuning_file {
    FILE *file;
    const char *path;
    int line_number;
    char line[LONGEST_LINE];
    char *message;
    size_t message_size;
} tuning_file;

typedef struct scale {
    int count;                      /* steps; the last is the period */
    double octaves[MOST_STEPS + 1]; /* pitch of each degree, from 0 */
} scale;

/* A mapping from keys to degrees. */
typedef struct mapping {
    int size;                /* period of the pattern, keys; 0: every key is one degree higher */
    int first, last, middle; /* keys: the range, and the pattern's first */
    int reference;           /* reference key */
    double frequency;        /* frequency of that key, Hz */
    int period;              /* degrees by which the pattern rises in each period */
    int degrees[BL_TUNING_KEYS];
} mapping;

static bool complain(tuning_file *file, const char *reason) {
    snprintf(file->message, file->message_size, "%s:%d: %s", file->path, file->line_number, reason);
    return false;
}

/* Reads the next line that is not a comment, without its end and what exceeds LONGEST_LINE. */
static bool read_line(tuning_file *file) {
    while (fgets(file->line, LONGEST_LINE, file->file) != NULL) {
        file->line_number += 1;
        size_t length = strlen(file->line);
        int last = length == LONGEST_LINE - 1 ? file->line[length - 1] : '\n';
        while (last != '\n' && last != EOF) {
            last = fgetc(file->file);
        }
        file->line[strcspn(file->line, "\r\n")] = 0;
        if (file->line_number == 1 && strncmp(file->line, BYTE_ORDER_MARK, 3) == 0) {
            memmove(file->line, file->line + 3, strlen(file->line + 3) + 1);
        }
        if (file->line[0] != '!') {
            return true;
        }
    }
    file->line_number += 1;
    return complain(file, "the file ends too early");
}

static bool read_whole(tuning_file *file, int least, int most, int *value) {
    if (!read_line(file)) {
        return false;
    }
    char *end;
    long number = strtol(file->line, &end, 10);
    *value = (int)number;
    if (end == file->line || number < least || number > most) {
        char reason[80];
        snprintf(reason, sizeof reason, "a whole number from %d to %d is needed", least, most);
        return complain(file, reason);
    }
    return true;
}

/* Reads a step: "701.955" is in cents, "3/2" and "2" are ratios; a remark may follow. */
static bool read_step(tuning_file *file, double *octaves) {
    if (!read_line(file)) {
        return false;
    }
    double number;
    const char *end = bl_number_read(file->line, &number);
    if (end == NULL) {
        return complain(file, "a step in cents, or a ratio, is needed");
    }
    double below = 1;
    if (memchr(file->line, '.', (size_t)(end - file->line)) != NULL) {
        *octaves = number / 1200;
    } else {
        end += strspn(end, " \t");
        if (*end == '/' && bl_number_read(end + 1, &below) == NULL) {
            below = 0;
        }
        if (!(number > 0 && below > 0)) {
            return complain(file, "a ratio of whole numbers above 0 is needed");
        }
        *octaves = log2(number / below);
    }
    return fabs(*octaves) <= MOST_OCTAVES || complain(file, "the step has more than 20 octaves");
}

static bool read_scale(tuning_file *file, scale *scale) {
    /* The first line describes the scale. */
    if (!read_line(file) || !read_whole(file, 1, MOST_STEPS, &scale->count)) {
        return false;
    }
    scale->octaves[0] = 0;
    for (int step = 1; step <= scale->count; step += 1) {
        if (!read_step(file, &scale->octaves[step])) {
            return false;
        }
    }
    return true;
}

static bool read_degree(tuning_file *file, int *degree) {
    if (!read_line(file)) {
        return false;
    }
    if (file->line[strspn(file->line, " \t")] == 'x') {
        *degree = UNMAPPED;
        return true;
    }
    *degree = atoi(file->line);
    return (*degree >= 0 && *degree <= MOST_STEPS) || complain(file, "a degree or x is needed");
}

static bool read_mapping(tuning_file *file, mapping *mapping) {
    int last = BL_TUNING_KEYS - 1;
    if (!read_whole(file, 0, BL_TUNING_KEYS, &mapping->size) ||
        !read_whole(file, 0, last, &mapping->first) || !read_whole(file, 0, last, &mapping->last) ||
        !read_whole(file, 0, last, &mapping->middle) ||
        !read_whole(file, 0, last, &mapping->reference) || !read_line(file)) {
        return false;
    }
    if (bl_number_read(file->line, &mapping->frequency) == NULL ||
        !(mapping->frequency >= 1 && mapping->frequency <= 20000)) {
        return complain(file, "a frequency from 1 to 20000 Hz is needed");
    }
    if (!read_whole(file, 0, MOST_STEPS, &mapping->period)) {
        return false;
    }
    for (int place = 0; place < mapping->size; place += 1) {
        if (!read_degree(file, &mapping->degrees[place])) {
            return false;
        }
    }
    return true;
}

static int floor_of(int number, int by) { return number / by - (number % by < 0); }

/* A degree's octaves above degree 0. */
static double degree_octaves(const scale *scale, int degree) {
    int periods = floor_of(degree, scale->count);
    return periods * scale->octaves[scale->count] + scale->octaves[degree - periods * scale->count];
}

/* A key's octaves above the mapping's middle; NAN for a key that plays nothing. */
static double key_octaves(const scale *scale, const mapping *mapping, int key) {
    int place = key - mapping->middle;
    if (mapping->size == 0) {
        return degree_octaves(scale, place);
    }
    int repeats = floor_of(place, mapping->size);
    int degree = mapping->degrees[place - repeats * mapping->size];
    int period = mapping->period > 0 ? mapping->period : scale->count;
    return degree == UNMAPPED
               ? NAN
               : repeats * degree_octaves(scale, period) + degree_octaves(scale, degree);
}

static bool fill(const scale *scale, const mapping *mapping, bl_tuning *tuning, char *message,
                 size_t message_size) {
    double reference = key_octaves(scale, mapping, mapping->reference);
    if (isnan(reference)) {
        snprintf(message, message_size, "the key of the mapping's frequency plays nothing");
        return false;
    }
    for (int key = 0; key < BL_TUNING_KEYS; key += 1) {
        bool plays = key >= mapping->first && key <= mapping->last;
        double octaves =
            key_octaves(scale, mapping, key) - reference + log2(mapping->frequency / 440);
        tuning->octaves[key] = plays && fabs(octaves) <= MOST_OCTAVES ? (float)octaves : NAN;
    }
    return true;
}

static bool open_file(tuning_file *file, const char *path) {
    file->path = path;
    file->line_number = 0;
    file->file = bl_file_open_stream(path, file->message, file->message_size);
    return file->file != NULL;
}

bool bl_tuning_read(const char *scale_path, const char *mapping_path, bl_tuning *tuning,
                    char *message, size_t message_size) {
    tuning_file file = {.message = message, .message_size = message_size};
    scale scale = {.count = 12};
    for (int step = 0; step <= 12; step += 1) {
        scale.octaves[step] = step / 12.0;
    }
    /* The default mapping: degree 0 is middle C at its usual pitch. */
    mapping mapping = {.last = BL_TUNING_KEYS - 1,
                       .middle = 60,
                       .reference = 60,
                       .frequency = 440 * exp2(-9 / 12.0)};
    if (scale_path != NULL) {
        bool good = open_file(&file, scale_path) && read_scale(&file, &scale);
        if (file.file != NULL) {
            fclose(file.file);
        }
        if (!good) {
            return false;
        }
    }
    if (mapping_path != NULL) {
        bool good = open_file(&file, mapping_path) && read_mapping(&file, &mapping);
        if (file.file != NULL) {
            fclose(file.file);
        }
        if (!good) {
            return false;
        }
    }
    return fill(&scale, &mapping, tuning, message, message_size);
}
