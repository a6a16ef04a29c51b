#define _GNU_SOURCE
#include <locale.h>
#include <resolv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backline/unit.h"

static const char prefix[] = "base64:";
static const size_t prefix_length = sizeof prefix - 1;

static bl_status append(void *context, const void *bytes, size_t count) {
    bl_data *data = context;
    uint8_t *grown = realloc(data->bytes, data->count + count + 1);
    if (grown == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    data->bytes = grown;
    if (count > 0) {
        memcpy(grown + data->count, bytes, count);
    }
    data->count += count;
    return BL_OK;
}

bl_data_writer bl_data_writer_to(bl_data *data) { return (bl_data_writer){data, append}; }

/* Whether the text is UTF-8 without control characters and does not begin like base64. */
static bool is_readable(const char *text) {
    static const char controls[] = "\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\r\x0e\x0f\x10\x11\x12"
                                   "\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f";
    if (strncmp(text, prefix, prefix_length) == 0 || strpbrk(text, controls) != NULL) {
        return false;
    }
    locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (locale == (locale_t)0) {
        return false;
    }
    locale_t former = uselocale(locale);
    bool is_text = mbstowcs(NULL, text, 0) != (size_t)-1;
    uselocale(former);
    freelocale(locale);
    return is_text;
}

char *bl_text_of_data(const void *bytes, size_t count) {
    size_t size = prefix_length + (count + 2) / 3 * 4 + 1;
    char *text = malloc(size);
    if (text == NULL) {
        return NULL;
    }
    memcpy(text, count > 0 ? bytes : "", count);
    text[count] = 0;
    if (strlen(text) < count || !is_readable(text)) {
        memcpy(text, prefix, prefix_length);
        b64_ntop(bytes, count, text + prefix_length, size - prefix_length);
    }
    return text;
}

bl_status bl_data_of_text(const char *text, bl_data *data) {
    size_t length = strlen(text);
    *data = (bl_data){malloc(length + 1), length};
    if (data->bytes == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    if (strncmp(text, prefix, prefix_length) != 0) {
        memcpy(data->bytes, text, length);
        return BL_OK;
    }
    int count = b64_pton(text + prefix_length, data->bytes, length + 1);
    data->count = count > 0 ? (size_t)count : 0;
    return count >= 0 ? BL_OK : BL_ERROR_INVALID_PROPERTY_VALUE;
}

bl_status bl_set_property(const bl_unit_descriptor *descriptor, bl_unit *unit, uint32_t index,
                          const char *text, char *message, size_t message_size) {
    if (descriptor->properties[index].kind != BL_PROPERTY_DATA) {
        return descriptor->set_property(unit, index, text, message, message_size);
    }
    bl_data data;
    bl_status status = bl_data_of_text(text, &data);
    if (status == BL_OK) {
        status = descriptor->load_data(unit, index, data.bytes, data.count, message, message_size);
    } else {
        snprintf(message, message_size, "%s",
                 status == BL_ERROR_OUT_OF_MEMORY ? "memory is short" : "this is no base64");
    }
    free(data.bytes);
    return status;
}
