/* Declares pread. */
#define _POSIX_C_SOURCE 200809L

#include "neural_amp/json.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_open.h"
#include "base/number.h"

/* The UTF-8 byte order mark; some editors start a text with it. */
#define BYTE_ORDER_MARK "\357\273\277"

typedef struct reader {
    bl_json *json;
    uint32_t at, length;
    const char *wrong; /* the reason of a failure, or NULL */
} reader;

static bool fail(reader *reader, const char *reason) {
    if (reader->wrong == NULL) {
        reader->wrong = reason;
    }
    return false;
}

/* The next byte; 0, which no JSON has, after the last. */
static char peek(const reader *reader) { return reader->json->text[reader->at]; }

static void skip_space(reader *reader) {
    while (peek(reader) != 0 && strchr(" \t\r\n", peek(reader)) != NULL) {
        reader->at += 1;
    }
}

static bool skip(reader *reader, char wanted) {
    bool found = peek(reader) == wanted;
    reader->at += found;
    return found;
}

/* Adds a value at the present position; returns its index, or UINT32_MAX. */
static uint32_t add(reader *reader, bl_json_type type) {
    bl_json *json = reader->json;
    if (json->value_count == json->capacity) {
        uint32_t capacity = json->capacity == 0 ? 1024 : 2 * json->capacity;
        bl_json_value *values = capacity > BL_JSON_MOST_VALUES
                                    ? NULL
                                    : realloc(json->values, capacity * sizeof *values);
        if (values == NULL) {
            fail(reader, "it has too many values");
            return UINT32_MAX;
        }
        json->values = values;
        json->capacity = capacity;
    }
    json->values[json->value_count] = (bl_json_value){.type = type, .start = reader->at};
    json->value_count += 1;
    return json->value_count - 1;
}

static bool finish(reader *reader, uint32_t value) {
    bl_json_value *finished = &reader->json->values[value];
    finished->length = reader->at - finished->start;
    finished->end = reader->json->value_count;
    return true;
}

static bool read_word(reader *reader, const char *word, bl_json_type type) {
    size_t length = strlen(word);
    if (strncmp(reader->json->text + reader->at, word, length) != 0) {
        return fail(reader, "it is no JSON");
    }
    uint32_t value = add(reader, type);
    reader->at += (uint32_t)length;
    return value != UINT32_MAX && finish(reader, value);
}

static bool skip_digits(reader *reader) {
    uint32_t start = reader->at;
    while (peek(reader) >= '0' && peek(reader) <= '9') {
        reader->at += 1;
    }
    return reader->at > start;
}

static bool read_number(reader *reader) {
    uint32_t value = add(reader, BL_JSON_NUMBER);
    if (value == UINT32_MAX) {
        return false;
    }
    skip(reader, '-');
    bool whole = skip(reader, '0') || skip_digits(reader);
    bool broken = skip(reader, '.') && !skip_digits(reader);
    if (skip(reader, 'e') || skip(reader, 'E')) {
        if (!skip(reader, '+')) {
            skip(reader, '-');
        }
        broken = !skip_digits(reader) || broken;
    }
    return whole && !broken ? finish(reader, value) : fail(reader, "it has a broken number");
}

static bool read_string(reader *reader) {
    reader->at += 1;
    uint32_t value = add(reader, BL_JSON_STRING);
    uint32_t start = reader->at;
    while (value != UINT32_MAX && peek(reader) != '"') {
        reader->at += peek(reader) == '\\';
        if ((unsigned char)peek(reader) < ' ' || reader->at - start > BL_JSON_LONGEST_STRING) {
            return fail(reader, "it has a broken string");
        }
        reader->at += 1;
    }
    if (value == UINT32_MAX) {
        return false;
    }
    finish(reader, value);
    reader->at += 1;
    return true;
}

static bool read_value(reader *reader, uint32_t depth);

/* An array's values, or an object's keys and values. */
static bool read_values(reader *reader, bl_json_type type, char close, uint32_t depth) {
    if (depth == BL_JSON_DEEPEST) {
        return fail(reader, "it is nested too deeply");
    }
    uint32_t value = add(reader, type);
    reader->at += 1;
    skip_space(reader);
    bool more = value != UINT32_MAX && peek(reader) != close;
    while (more) {
        if (type == BL_JSON_OBJECT) {
            skip_space(reader);
            if (peek(reader) != '"') {
                return fail(reader, "it is no JSON");
            }
            if (!read_string(reader)) {
                return false;
            }
            skip_space(reader);
            if (!skip(reader, ':')) {
                return fail(reader, "it is no JSON");
            }
        }
        if (!read_value(reader, depth + 1)) {
            return false;
        }
        skip_space(reader);
        more = skip(reader, ',');
    }
    if (value == UINT32_MAX || !skip(reader, close)) {
        return fail(reader, "it is no JSON");
    }
    return finish(reader, value);
}

static bool read_value(reader *reader, uint32_t depth) {
    skip_space(reader);
    switch (peek(reader)) {
    case 0: return fail(reader, "it ends too early");
    case '{': return read_values(reader, BL_JSON_OBJECT, '}', depth);
    case '[': return read_values(reader, BL_JSON_ARRAY, ']', depth);
    case '"': return read_string(reader);
    case 'n': return read_word(reader, "null", BL_JSON_NULL);
    case 't': return read_word(reader, "true", BL_JSON_TRUE);
    case 'f': return read_word(reader, "false", BL_JSON_FALSE);
    case 'N':
    case 'I': return fail(reader, "it has NaN or Infinity for a number");
    default: return read_number(reader);
    }
}

/* Reads the whole file, with a terminating 0; NULL, and the reason in `message`, on failure. */
static char *read_text(const char *path, uint32_t *length, char *message, size_t message_size) {
    int descriptor = bl_file_open(path, message, message_size);
    if (descriptor < 0) {
        return NULL;
    }
    off_t size = lseek(descriptor, 0, SEEK_END);
    char *text = NULL;
    if (size < 0 || size > BL_JSON_LARGEST) {
        bl_file_complain(message, message_size, path, "it has more than %d MiB",
                         BL_JSON_LARGEST >> 20);
    } else if ((text = malloc((size_t)size + 1)) == NULL) {
        bl_file_complain(message, message_size, path, "out of memory");
    } else {
        *length = 0;
        ssize_t got;
        while ((got = pread(descriptor, text + *length, (size_t)size - *length, *length)) > 0) {
            *length += (uint32_t)got;
        }
        text[*length] = 0;
    }
    close(descriptor);
    return text;
}

bool bl_json_read(bl_json *json, const char *path, char *message, size_t message_size) {
    *json = (bl_json){0};
    reader reader = {.json = json};
    json->text = read_text(path, &reader.length, message, message_size);
    if (json->text == NULL) {
        return false;
    }
    if (strncmp(json->text, BYTE_ORDER_MARK, 3) == 0) {
        reader.at = 3;
    }
    bool read = read_value(&reader, 0);
    skip_space(&reader);
    if (!read || reader.at != reader.length) {
        const char *reason = reader.at >= reader.length ? "it ends too early" : "it is no JSON";
        bl_file_complain(message, message_size, path, "%s (byte %u)",
                         reader.wrong != NULL && reader.at < reader.length ? reader.wrong : reason,
                         reader.at);
        bl_json_close(json);
        return false;
    }
    return true;
}

void bl_json_close(bl_json *json) {
    free(json->text);
    free(json->values);
    *json = (bl_json){0};
}

uint32_t bl_json_member(const bl_json *json, uint32_t object, const char *key) {
    const bl_json_value *values = json->values;
    if (values[object].type != BL_JSON_OBJECT) {
        return 0;
    }
    for (uint32_t at = object + 1; at < values[object].end; at = values[at + 1].end) {
        if (bl_json_is(json, at, key)) {
            return at + 1;
        }
    }
    return 0;
}

uint32_t bl_json_count(const bl_json *json, uint32_t value) {
    uint32_t count = 0;
    for (uint32_t at = value + 1; at < json->values[value].end; at = json->values[at].end) {
        count += 1;
    }
    return count;
}

bool bl_json_is(const bl_json *json, uint32_t value, const char *string) {
    const bl_json_value *found = &json->values[value];
    return found->type == BL_JSON_STRING && found->length == strlen(string) &&
           memcmp(json->text + found->start, string, found->length) == 0;
}

double bl_json_number(const bl_json *json, uint32_t value) {
    double number = 0;
    bl_number_read(json->text + json->values[value].start, &number);
    return number;
}
