/* The format converter's parts: format_converter.c has table and life cycle,
   format_converter_matrix.c the gains, format_converter_render.c the sound. */
#pragma once

#include <stdatomic.h>

#include "base/effect.h"
#include "dsp/crossfade.h"

enum {
    BL_CONVERTER_MODE,
    BL_CONVERTER_CENTRE,
    BL_CONVERTER_SURROUND,
    BL_CONVERTER_LFE,
    BL_CONVERTER_NORMALISE,
    BL_CONVERTER_LEVEL,
    BL_CONVERTER_PARAMETER_COUNT
};

enum { BL_CONVERTER_LAYOUT, BL_CONVERTER_ENCODE, BL_CONVERTER_DECODE, BL_CONVERTER_MATRIX };

/* The gain from each input to each output. */
typedef struct bl_channel_matrix {
    float gains[BL_MAXIMUM_CHANNELS][BL_MAXIMUM_CHANNELS]; /* [output][input] */
} bl_channel_matrix;

/* The custom matrix, from the control thread to the render thread: each owns a slot, and exchanges
   it for the third. */
typedef struct bl_matrix_mailbox {
    bl_channel_matrix slots[3];
    uint32_t back, front;    /* the slots of the control and of the render thread */
    _Atomic uint32_t middle; /* the third slot, and BL_MATRIX_IS_NEW */
} bl_matrix_mailbox;

#define BL_MATRIX_IS_NEW 4u

typedef struct bl_format_converter_unit {
    bl_unit_base base;
    bl_matrix_mailbox written;
    bl_channel_matrix matrix, outgoing; /* `outgoing` fades out */
    bl_crossfade fade;
    bool is_changed; /* changed since `matrix` was computed */
} bl_format_converter_unit;

/* Computes the gains for the parameters and the channel counts. [render or idle] */
void bl_channel_matrix_fill(const bl_format_converter_unit *converter,
                            bl_channel_matrix *matrix) BL_NONBLOCKING;

/* Parses a custom matrix, rows separated by ";", gains by spaces or commas; an empty text is the
   identity. On failure returns false and a reason. [control] */
bool bl_channel_matrix_read(const char *text, bl_channel_matrix *matrix, char *message,
                            size_t message_size);

/* Receives the newest custom matrix. [render or idle] */
void bl_format_converter_receive(bl_format_converter_unit *converter) BL_NONBLOCKING;

/* The kit's `process`. [render] */
void bl_format_converter_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                 uint32_t frames) BL_NONBLOCKING;
