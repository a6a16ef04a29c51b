/* Base of MIDI processors: no audio, MIDI in and out. */
#pragma once

#include "base/built_in.h"

/* Sends one message of three bytes. [render] */
static inline void bl_midi_processor_send(const bl_io *io, int64_t time, uint8_t status,
                                          uint8_t first, uint8_t second) BL_NONBLOCKING {
    uint8_t bytes[3] = {status, first, second};
    io->host->send_midi(io->host->context, time, 0, 3, bytes);
}

/* Sends a message unchanged. [render] */
static inline void bl_midi_processor_pass(const bl_io *io, int64_t time,
                                          const bl_midi_event *message) BL_NONBLOCKING {
    io->host->send_midi(io->host->context, time, 0, message->length, message->bytes);
}

/* Descriptor members of a MIDI processor: aumi/ABCD/bkln. */
#define BL_MIDI_PROCESSOR(A, B, C, D)                                                              \
    BL_BUILT_IN(BL_TYPE_MIDI_PROCESSOR, A, B, C, D),                                               \
        .flags = BL_UNIT_MIDI_INPUT | BL_UNIT_MIDI_OUTPUT
/* Descriptor members of a MIDI processor that plays without MIDI, too. */
#define BL_MIDI_SOURCE(A, B, C, D)                                                                 \
    BL_BUILT_IN(BL_TYPE_MIDI_PROCESSOR, A, B, C, D),                                               \
        .flags = BL_UNIT_MIDI_INPUT | BL_UNIT_MIDI_OUTPUT | BL_UNIT_MIDI_OPTIONAL
