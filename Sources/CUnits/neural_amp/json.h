/* A JSON parser (RFC 8259) for untrusted files: size, depth and number of values are limited, and
 * invalid syntax is reported with its position.
 *
 * The values are in one array in the order of the text. Value 0 is the whole, so 0 also means a
 * missing value. [control]
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BL_JSON_LARGEST = 32 << 20,    /* bytes of a file */
    BL_JSON_DEEPEST = 24,          /* levels of nested objects and arrays */
    BL_JSON_MOST_VALUES = 2 << 20, /* values in a file, including keys */
    BL_JSON_LONGEST_STRING = 1 << 16
};

typedef enum bl_json_type {
    BL_JSON_NULL,
    BL_JSON_FALSE,
    BL_JSON_TRUE,
    BL_JSON_NUMBER,
    BL_JSON_STRING,
    BL_JSON_ARRAY,
    BL_JSON_OBJECT /* keys and values alternate */
} bl_json_type;

typedef struct bl_json_value {
    bl_json_type type;
    uint32_t start, length; /* in the text; for a string, between the quotes */
    uint32_t end;           /* index after this value and all values in it */
} bl_json_value;

typedef struct bl_json {
    char *text;
    bl_json_value *values;
    uint32_t value_count, capacity;
} bl_json;

/* Reads a file; false, and the reason in `message`, on failure. */
bool bl_json_read(bl_json *json, const char *path, char *message, size_t message_size);
void bl_json_close(bl_json *json);

/* The value of a key, or 0. */
uint32_t bl_json_member(const bl_json *json, uint32_t object, const char *key);
/* The number of values in an array, or of keys and values in an object. */
uint32_t bl_json_count(const bl_json *json, uint32_t value);
/* The next value in the same array or object. */
static inline uint32_t bl_json_next(const bl_json *json, uint32_t value) {
    return json->values[value].end;
}
static inline bl_json_type bl_json_type_of(const bl_json *json, uint32_t value) {
    return json->values[value].type;
}
/* Whether the value is this string. */
bool bl_json_is(const bl_json *json, uint32_t value, const char *string);
double bl_json_number(const bl_json *json, uint32_t value);
