/* What the MIDI processors share: no sound, MIDI in and out. A processor's structure has a
   bl_unit_base as its first member. */
#ifndef BACKLINE_MIDI_PROCESSOR_H
#define BACKLINE_MIDI_PROCESSOR_H

#include "base/unit_base.h"

/* The present cycle, into which a processor sends. */
typedef struct bl_midi_cycle {
    const bl_render_host *host;
    const bl_timestamp *timestamp;
    uint32_t frames;
} bl_midi_cycle;

/* Handles one message at its time. [render] */
typedef void (*bl_midi_receive)(bl_unit *unit, const bl_midi_cycle *cycle, int64_t time,
                                const bl_midi_event *message) BL_NONBLOCKING;
/* Applies a parameter event at its time. [render] */
typedef void (*bl_midi_change)(bl_unit *unit, const bl_midi_cycle *cycle, int64_t time,
                               const bl_event *event) BL_NONBLOCKING;
/* Plays the frames from `first` up to `end`, in sample time. [render] */
typedef void (*bl_midi_process)(bl_unit *unit, const bl_midi_cycle *cycle, int64_t first,
                                int64_t end) BL_NONBLOCKING;

/* Applies the configuration, which has no busses. [control; not allocated] */
bl_status bl_midi_processor_allocate(bl_unit *unit, const bl_render_configuration *configuration);

/* Applies a parameter event, for processors that need nothing else. [render] */
void bl_midi_processor_change(bl_unit *unit, const bl_midi_cycle *cycle, int64_t time,
                              const bl_event *event) BL_NONBLOCKING;

/* Sends one message of three bytes. [render] */
void bl_midi_processor_send(const bl_midi_cycle *cycle, int64_t time, uint8_t status, uint8_t first,
                            uint8_t second) BL_NONBLOCKING;

/* Sends a message unchanged. [render] */
void bl_midi_processor_pass(const bl_midi_cycle *cycle, int64_t time,
                            const bl_midi_event *message) BL_NONBLOCKING;

/* Renders one cycle: sends system exclusive on, and passes everything else to the given functions;
   `process` may be NULL. The other arguments are the descriptor's render's. [render] */
bl_status bl_midi_processor_render(bl_unit *unit, const bl_timestamp *timestamp, uint32_t frames,
                                   uint32_t bus, const bl_event *events, const bl_render_host *host,
                                   bl_midi_receive receive, bl_midi_change change,
                                   bl_midi_process process) BL_NONBLOCKING;

/* Defines a MIDI processor's `render`. */
#define BL_MIDI_PROCESSOR_RENDER(RECEIVE, CHANGE, PROCESS)                                         \
    static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,          \
                            uint32_t frames, uint32_t bus, bl_buffers *output,                     \
                            const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {   \
        (void)flags, (void)output;                                                                 \
        return bl_midi_processor_render(unit, timestamp, frames, bus, events, host, RECEIVE,       \
                                        CHANGE, PROCESS);                                          \
    }

/* A MIDI processor's members of its descriptor, besides those of BL_BUILT_IN. */
#define BL_MIDI_PROCESSOR(SET_PARAMETER) BL_MIDI_PROCESSOR_WITH(0, SET_PARAMETER)
/* The same of one that plays without MIDI, too. */
#define BL_MIDI_SOURCE(SET_PARAMETER) BL_MIDI_PROCESSOR_WITH(BL_UNIT_MIDI_OPTIONAL, SET_PARAMETER)
#define BL_MIDI_PROCESSOR_WITH(FLAGS, SET_PARAMETER)                                               \
    .flags = BL_UNIT_MIDI_INPUT | BL_UNIT_MIDI_OUTPUT | (FLAGS), BL_UNIT_BASE_LIFE,                \
    .set_parameter = SET_PARAMETER, .parameter_value = bl_unit_base_parameter_value,               \
    .allocate_render_resources = bl_midi_processor_allocate

/* Does the message end every note of its channel? [render] */
static inline bool bl_midi_is_all_off(const bl_midi_event *message) BL_NONBLOCKING {
    return (message->bytes[0] & 0xF0) == BL_CONTROLLER &&
           (message->bytes[1] == BL_ALL_SOUND_OFF ||
            message->bytes[1] >= BL_ALL_NOTES_OFF); /* the mode messages above imply it */
}

#endif
