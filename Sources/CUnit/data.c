#define _GNU_SOURCE
#include <limits.h>
#include <locale.h>
#include <resolv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

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

/* Whether a text file may have the character: no control character but \n and \t, no other line
   break, nothing that is not a Unicode character. */
static bool may_be_written(wchar_t character) {
    uint32_t code = (uint32_t)character;
    bool is_control =
        (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
    bool is_break = code == 0x2028 || code == 0x2029 || code == 0xfeff;
    bool is_outside = code > 0x10ffff || (code & 0xfffe) == 0xfffe || (code >> 11) == 0x1b;
    return !is_control && !is_break && !is_outside;
}

/* Whether the text is readable UTF-8 and does not begin like base64. */
static bool is_readable(const char *text) {
    locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (strncmp(text, prefix, prefix_length) == 0 || locale == (locale_t)0) {
        freelocale(locale);
        return false;
    }
    locale_t former = uselocale(locale);
    mbstate_t state = {0};
    wchar_t character = ' ';
    size_t length = 1;
    for (; length > 0 && may_be_written(character); text += length) {
        length = mbrtowc(&character, text, MB_LEN_MAX, &state);
        if (length > MB_LEN_MAX) { /* not a character */
            break;
        }
        character = length > 0 ? character : ' ';
    }
    uselocale(former);
    freelocale(locale);
    return length == 0;
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
