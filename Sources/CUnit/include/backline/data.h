/* Data of a unit: bytes that only the unit understands, and the text that hosts keep them as. */
#ifndef BACKLINE_DATA_H
#define BACKLINE_DATA_H

#include <stddef.h>
#include <stdint.h>

#include "attributes.h"
#include "status.h"

BL_BEGIN_DECLARATIONS

/* The sink that save_data writes to, piece by piece. */
typedef struct bl_data_writer {
    void *context; /* the first argument of `write` */
    /* Appends a copy of the bytes. Returns BL_OK or BL_ERROR_OUT_OF_MEMORY, which the unit returns.
     */
    bl_status (*write)(void *context, const void *bytes, size_t count);
} bl_data_writer;

/* Bytes allocated by malloc. All zero: none. */
typedef struct bl_data {
    uint8_t *bytes;
    size_t count;
} bl_data;

/* A writer that appends to `data`, whose bytes the caller frees. [control] */
bl_data_writer bl_data_writer_to(bl_data *data);

/* The bytes as text, which the caller frees: unchanged if they are readable UTF-8, else "base64:"
   and their base64 (RFC 4648). NULL when memory is short. [control] */
char *bl_text_of_data(const void *bytes, size_t count);

/* Decodes such a text; the caller frees the bytes whatever the status is: BL_OK,
   BL_ERROR_OUT_OF_MEMORY, or BL_ERROR_INVALID_PROPERTY_VALUE for invalid base64. [control] */
bl_status bl_data_of_text(const char *text, bl_data *data);

BL_END_DECLARATIONS

#endif
