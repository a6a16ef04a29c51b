/* JSON (RFC 8259) out of a file that nobody vouches for: size, depth and number of values are
 * bounded, and what the grammar does not allow is refused with its place.
 *
 * The values lie in one array in the order of the text. Value 0 is the whole, so 0 also stands for
 * a value that is not there. [control] */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BL_JSON_LARGEST = 32 << 20,    /* bytes of a file */
    BL_JSON_DEEPEST = 24,          /* objects and arrays within each other */
    BL_JSON_MOST_VALUES = 2 << 20, /* of a file, keys among them */
    BL_JSON_LONGEST_STRING = 1 << 16
};

typedef enum bl_json_type {
    BL_JSON_NULL,
    BL_JSON_FALSE,
    BL_JSON_TRUE,
    BL_JSON_NUMBER,
    BL_JSON_STRING,
    BL_JSON_ARRAY,
    BL_JSON_OBJECT /* keys and values in turn */
} bl_json_type;

typedef struct bl_json_value {
    bl_json_type type;
    uint32_t start, length; /* in the text; of a string, what is between the quotes */
    uint32_t end;           /* the index behind this value and all within it */
} bl_json_value;

typedef struct bl_json {
    char *text;
    bl_json_value *values;
    uint32_t value_count, capacity;
} bl_json;

/* Reads a file; false, and the reason in `message`, where that fails. */
bool bl_json_read(bl_json *json, const char *path, char *message, size_t message_size);
void bl_json_close(bl_json *json);

/* The value of a key, or 0. */
uint32_t bl_json_member(const bl_json *json, uint32_t object, const char *key);
/* How many values an array has, or an object keys and values. */
uint32_t bl_json_count(const bl_json *json, uint32_t value);
/* The value behind another in the same array or object. */
static inline uint32_t bl_json_next(const bl_json *json, uint32_t value) {
    return json->values[value].end;
}
static inline bl_json_type bl_json_type_of(const bl_json *json, uint32_t value) {
    return json->values[value].type;
}
/* Whether the value is this string. */
bool bl_json_is(const bl_json *json, uint32_t value, const char *string);
/* A number's value. */
double bl_json_number(const bl_json *json, uint32_t value);
