/* The values of SFZ's opcodes. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "sampler/nearest_name.h"
#include "sampler/sfz_reader.h"

/* Value of a key: a number, or a name such as c4, c#4 or db4, where c4 is 60. */
static bool parse_key(const char *text, double *value) {
    static const int32_t semitones[] = {9, 11, 0, 2, 4, 5, 7}; /* a to g */
    char letter = (char)tolower((unsigned char)text[0]);
    if (letter < 'a' || letter > 'g') {
        return false;
    }
    const char *rest = text + 1;
    int32_t key = semitones[letter - 'a'];
    if (*rest == '#' || *rest == 'b') {
        key += *rest == '#' ? 1 : -1;
        rest += 1;
    }
    char *end;
    long octave = strtol(rest, &end, 10);
    if (end == rest || *end != 0 || octave < -2 || octave > 10) {
        return false;
    }
    *value = key + 12 * (double)(octave + 1);
    return true;
}

bool bl_sfz_number(const char *text, double *value) {
    const char *end = bl_number_read(text, value);
    return end != NULL && *end == 0 && isfinite(*value);
}

static bool is_key(bl_opcode_kind kind) {
    return kind == BL_OPCODE_KEY || kind == BL_OPCODE_ALL_KEYS || kind == BL_OPCODE_CENTER_KEY ||
           kind == BL_OPCODE_SWITCH_LAST;
}

/* A key that was moved, within the keyboard; or one beyond it where that keeps a region from
   playing a key that it does not have. */
static double moved_key(const bl_opcode *opcode, double key) {
    bool both = opcode->kind == BL_OPCODE_ALL_KEYS;
    double lowest = both || opcode->offset == offsetof(bl_region, high_key) ? -1 : 0;
    double highest = both || opcode->offset == offsetof(bl_region, low_key) ? BL_KEYS : BL_KEYS - 1;
    return key < lowest ? lowest : key > highest ? highest : key;
}

static bool parse_choice(const bl_sfz_reader *self, const bl_opcode *opcode, const char *text,
                         double *value) {
    size_t count = 0;
    for (; opcode->choices[count] != NULL; count += 1) {
        if (strcmp(opcode->choices[count], text) == 0) {
            *value = (double)count;
            return true;
        }
    }
    const char *nearest = bl_nearest_name(text, opcode->choices, count, sizeof(char *));
    return bl_sfz_refuse(&self->text,
                         nearest != NULL ? "%s=%.40s: did you mean “%s”?"
                                         : "%s=%.40s: it may be “%s”, for one",
                         opcode->name, text, nearest != NULL ? nearest : opcode->choices[0]);
}

/* A value within its range; warns of one that is not. */
static double held(bl_sfz_reader *self, const char *name, const char *text, double value,
                   double low, double high) {
    double inside = value < low ? low : value > high ? high : value;
    if (inside != value) {
        bl_sampler_instrument_warn(self->instrument, "%s:%u: %.60s=%.40s is held to %g",
                                   self->text.place.file, self->text.place.line, name, text,
                                   inside);
    }
    return inside;
}

bool bl_sfz_value(bl_sfz_reader *self, const bl_opcode *opcode, const char *text,
                  bl_sfz_setting *to) {
    if (opcode->kind == BL_OPCODE_IGNORED) {
        return true;
    }
    if (opcode->kind == BL_OPCODE_SAMPLE) {
        if (strcmp(text, "*silence") == 0) {
            return true;
        }
        if (text[0] == '*' || text[0] == 0) {
            return bl_sfz_refuse(&self->text,
                                 "sample=%.40s: a file's name, or *silence, is expected", text);
        }
        size_t prefix = strlen(self->default_path), length = strlen(text);
        char *path = bl_arena_allocate(&self->instrument->arena, prefix + length + 1, 1);
        if (path == NULL) {
            return bl_sfz_refuse(&self->text, "no memory");
        }
        memcpy(path, self->default_path, prefix);
        memcpy(path + prefix, text, length);
        to->text = path;
        return true;
    }
    if (opcode->choices != NULL) {
        return parse_choice(self, opcode, text, &to->value);
    }
    if (opcode->kind == BL_OPCODE_CENTER_KEY && strcmp(text, "sample") == 0) {
        to->value = -1;
        return true;
    }
    bool whole = opcode->kind != BL_OPCODE_NUMBER;
    bool named = is_key(opcode->kind) && parse_key(text, &to->value);
    if (!named && !bl_sfz_number(text, &to->value)) {
        return bl_sfz_refuse(&self->text, "%s=%.40s: %s is expected", opcode->name, text,
                             is_key(opcode->kind) ? "a key, such as 60 or c4," : "a number");
    }
    to->value = whole ? rint(to->value) : to->value;
    if (whole && (to->value < opcode->low || to->value > opcode->high)) {
        return bl_sfz_refuse(&self->text, "%s=%.40s: it may be %.0f to %.0f", opcode->name, text,
                             opcode->low, opcode->high);
    }
    to->value = held(self, opcode->name, text, to->value, opcode->low, opcode->high);
    if (is_key(opcode->kind) && to->value >= 0) {
        to->value = moved_key(opcode, to->value + self->key_offset);
    }
    return true;
}

bool bl_sfz_numbered_value(bl_sfz_reader *self, const char *name, const char *text,
                           bl_sfz_setting *to) {
    if (!bl_sfz_number(text, &to->value)) {
        return bl_sfz_refuse(&self->text, "%s=%.40s: a number is expected", name, text);
    }
    double limit = (double)to->numbered.limit;
    to->value = held(self, name, text, to->value, -limit, limit);
    return true;
}

const char *bl_sfz_copy(bl_sfz_reader *self, const char *text) {
    const char *kept = bl_arena_copy(&self->instrument->arena, text, strlen(text) + 1, 1);
    if (kept == NULL) {
        bl_sfz_refuse(&self->text, "no memory");
    }
    return kept;
}

bool bl_sfz_warn_of_unknown(bl_sfz_reader *self, const char *name) {
    if (self->unknown_count == BL_SFZ_UNKNOWN) {
        return true;
    }
    for (uint32_t index = 0; index < self->unknown_count; index += 1) {
        if (strcmp(self->unknown[index], name) == 0) {
            return true;
        }
    }
    const char *kept = bl_sfz_copy(self, name);
    if (kept == NULL) {
        return false;
    }
    self->unknown[self->unknown_count++] = kept;
    const char *nearest =
        bl_nearest_name(name, &bl_opcodes[0].name, bl_opcode_count, sizeof bl_opcodes[0]);
    bl_sampler_instrument_warn(self->instrument, "%s:%u: %.60s is not supported%s%s%s",
                               self->text.place.file, self->text.place.line, name,
                               nearest != NULL ? " (did you mean “" : "",
                               nearest != NULL ? nearest : "", nearest != NULL ? "”?)" : "");
    return true;
}

bool bl_sfz_control(bl_sfz_reader *self, const char *name, const char *value) {
    double number = 0;
    bool is_number = bl_sfz_number(value, &number);
    uint32_t controller = 0;
    char rest;
    if (strcmp(name, "default_path") == 0) {
        self->default_path = bl_sfz_copy(self, value);
        return self->default_path != NULL;
    }
    if (sscanf(name, "set_cc%3u%c", &controller, &rest) == 1 && controller < BL_KEYS) {
        if (!is_number) {
            return bl_sfz_refuse(&self->text, "%s=%.40s: a number is expected", name, value);
        }
        number = held(self, name, value, number, 0, 127);
        self->instrument->controllers[controller] = (float)number;
        return true;
    }
    if (strcmp(name, "note_offset") != 0 && strcmp(name, "octave_offset") != 0) {
        return strncmp(name, "label_", 6) == 0 || bl_sfz_warn_of_unknown(self, name);
    }
    if (!is_number || fabs(number) > 127) {
        return bl_sfz_refuse(&self->text, "%s=%.40s: it may be -127 to 127", name, value);
    }
    self->key_offset = (int32_t)number * (name[0] == 'o' ? 12 : 1);
    return true;
}
