/* The values of SFZ's opcodes. */
/* Declares strcasecmp. */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/number.h"
#include "sampler/nearest_name.h"
#include "sampler/sfz_reader.h"

/* Reads a key: a number, or a name such as c4, c#4 or db4; c4 is 60. */
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

/* Reads the number at the start of a text, with a decimal point or comma; false, and a remark, if
   there is none. Text after it is ignored, with a remark. */
static bool number(const bl_sfz_reader *self, const char *name, const char *text, double *value) {
    const char *end = bl_number_read(text, value);
    char pointed[40];
    if (end != NULL && end[0] == ',' && isdigit((unsigned char)end[1]) &&
        strlen(text) < sizeof pointed) {
        strcpy(pointed, text);
        pointed[end - text] = '.';
        end = bl_number_read(pointed, value);
    }
    if (end == NULL || !isfinite(*value)) {
        bl_sfz_warn(&self->text, name, "%.60s=%.40s: a number is expected", name, text);
        return false;
    }
    if (*end != 0) {
        bl_sfz_warn(&self->text, name, "%.60s=%.40s is read as %g", name, text, *value);
    }
    return true;
}

static bool is_key(bl_opcode_kind kind) {
    return kind == BL_OPCODE_KEY || kind == BL_OPCODE_ALL_KEYS || kind == BL_OPCODE_CENTER_KEY ||
           kind == BL_OPCODE_SWITCH_LAST;
}

/* Limits a transposed key to the keyboard, or to just beyond it if that keeps a region from playing
   keys outside its range. */
static double moved_key(const bl_opcode *opcode, double key) {
    bool both = opcode->kind == BL_OPCODE_ALL_KEYS;
    double lowest = both || opcode->offset == offsetof(bl_region, high_key) ? -1 : 0;
    double highest = both || opcode->offset == offsetof(bl_region, low_key) ? BL_KEYS : BL_KEYS - 1;
    return key < lowest ? lowest : key > highest ? highest : key;
}

/* Filters that are not supported are replaced by one of their kind, or none. */
static double filter_like(const char *text) {
    static const char *const kinds[] = {"lpf", "hpf", "bpf", "brf"};
    static const double filters[] = {BL_FILTER_LOW_PASS, BL_FILTER_HIGH_PASS, BL_FILTER_BAND_PASS,
                                     BL_FILTER_NOTCH};
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index += 1) {
        if (strncasecmp(kinds[index], text, 3) == 0) {
            return filters[index];
        }
    }
    return BL_FILTER_NONE;
}

static bool parse_choice(const bl_sfz_reader *self, const bl_opcode *opcode, const char *text,
                         double *value) {
    size_t count = 0;
    for (; opcode->choices[count] != NULL; count += 1) {
        if (strcasecmp(opcode->choices[count], text) == 0) {
            *value = (double)count;
            return true;
        }
    }
    if (opcode->offset == offsetof(bl_region, filter)) {
        *value = filter_like(text);
        bl_sfz_warn(&self->text, text, "%s=%.40s is not supported; %s takes its place",
                    opcode->name, text,
                    *value == BL_FILTER_NONE ? "nothing" : opcode->choices[(size_t)*value]);
        return true;
    }
    const char *nearest = bl_nearest_name(text, opcode->choices, count, sizeof(char *));
    bl_sfz_warn(&self->text, opcode->name,
                nearest != NULL ? "%s=%.40s: did you mean “%s”?"
                                : "%s=%.40s: it may be “%s”, for one",
                opcode->name, text, nearest != NULL ? nearest : opcode->choices[0]);
    return false;
}

/* Limits a value to its range, with a remark if it is outside. */
static double held(const bl_sfz_reader *self, const char *name, const char *text, double value,
                   double low, double high) {
    double inside = value < low ? low : value > high ? high : value;
    if (inside != value) {
        bl_sfz_warn(&self->text, name, "%.60s=%.40s is held to %g", name, text, inside);
    }
    return inside;
}

/* Reads a sample's name, and makes its path. The default path comes before it, and may lack the
   slash between. */
static bool parse_sample(const bl_sfz_reader *self, const char *text, const char **path) {
    if (strcasecmp(text, "*silence") == 0) {
        return true;
    }
    size_t prefix = strlen(self->default_path), length = strlen(text);
    bool is_quoted = length > 1 && text[0] == '"' && text[length - 1] == '"';
    text += is_quoted;
    length -= is_quoted ? 2 : 0;
    if (length == 0) {
        bl_sfz_warn(&self->text, "sample=", "sample= without a file's name");
        return false;
    }
    prefix = text[0] == '*' ? 0 : prefix;
    char *name = bl_arena_allocate(&self->instrument->arena, prefix + length + 2, 1);
    if (name == NULL) {
        return false;
    }
    *path = name;
    memcpy(name, self->default_path, prefix);
    memcpy(name + prefix, text, length);
    if (prefix > 0 && strchr("/\\", name[prefix - 1]) == NULL) {
        const char *whole = bl_sfz_path(&self->text, name);
        if (whole != NULL && access(whole, F_OK) != 0) {
            memmove(name + prefix + 1, name + prefix, length);
            name[prefix] = '/';
        }
    }
    return true;
}

/* Reads a number, or the name of a key. */
static bool parse_number(const bl_sfz_reader *self, const bl_opcode *opcode, const char *text,
                         double *value) {
    bool is_of_key = is_key(opcode->kind);
    if (!(is_of_key && parse_key(text, value)) && !number(self, opcode->name, text, value)) {
        return false;
    }
    *value = opcode->kind != BL_OPCODE_NUMBER ? rint(*value) : *value;
    *value = held(self, opcode->name, text, *value, opcode->low, opcode->high);
    if (is_of_key && *value >= 0) {
        *value = moved_key(opcode, *value + self->key_offset);
    }
    return true;
}

bool bl_sfz_value(bl_sfz_reader *self, const bl_opcode *opcode, const char *text,
                  bl_sfz_setting *to) {
    if (opcode->kind == BL_OPCODE_IGNORED) {
        return false;
    }
    if (opcode->kind == BL_OPCODE_SAMPLE) {
        return parse_sample(self, text, &to->text);
    }
    if (opcode->choices != NULL) {
        return parse_choice(self, opcode, text, &to->value);
    }
    if (opcode->kind == BL_OPCODE_CENTER_KEY && strcasecmp(text, "sample") == 0) {
        to->value = -1;
        return true;
    }
    return parse_number(self, opcode, text, &to->value);
}

bool bl_sfz_numbered_value(bl_sfz_reader *self, const char *name, const char *text,
                           bl_sfz_setting *to) {
    double limit = (double)to->numbered.limit;
    if (!number(self, name, text, &to->value)) {
        return false;
    }
    to->value = held(self, name, text, to->value, -limit, limit);
    return true;
}

void bl_sfz_warn_of_unknown(const bl_sfz_reader *self, const char *name) {
    if (bl_remarks_count(&self->instrument->remarks, name)) {
        return;
    }
    const char *nearest =
        bl_nearest_name(name, &bl_opcodes[0].name, bl_opcode_count, sizeof bl_opcodes[0]);
    bl_sfz_warn(&self->text, name, "%.60s is not supported%s%s%s", name,
                nearest != NULL ? " (did you mean “" : "", nearest != NULL ? nearest : "",
                nearest != NULL ? "”?)" : "");
}

static void set_default_path(bl_sfz_reader *self, const char *value) {
    size_t length = strlen(value);
    bool is_quoted = length > 1 && value[0] == '"' && value[length - 1] == '"';
    char *kept = bl_arena_copy(&self->instrument->arena, value + is_quoted, length + !is_quoted, 1);
    if (kept != NULL) {
        kept[is_quoted ? length - 2 : length] = 0;
        self->default_path = kept;
    }
}

void bl_sfz_control(bl_sfz_reader *self, const char *name, const char *value) {
    double number_read = 0;
    uint32_t controller = 0, key = 0;
    char rest;
    if (strcmp(name, "default_path") == 0) {
        set_default_path(self, value);
    } else if (sscanf(name, "set_cc%3u%c", &controller, &rest) == 1 && controller < BL_KEYS) {
        if (number(self, name, value, &number_read)) {
            self->instrument->controllers[controller] =
                (float)held(self, name, value, number_read, 0, 127);
        }
    } else if (strcmp(name, "note_offset") == 0 || strcmp(name, "octave_offset") == 0) {
        if (number(self, name, value, &number_read)) {
            self->key_offset = (int32_t)held(self, name, value, number_read, -127, 127) *
                               (name[0] == 'o' ? 12 : 1);
        }
    } else if (sscanf(name, "label_key%3u%c", &key, &rest) == 1 && key < BL_KEYS) {
        self->instrument->key_names[key] =
            bl_arena_copy(&self->instrument->arena, value, strlen(value) + 1, 1);
    } else if (strncmp(name, "label_", 6) != 0 && strncmp(name, "hint_", 5) != 0) {
        bl_sfz_warn_of_unknown(self, name);
    }
}
