/* What the MIDI processors share: no sound, MIDI in and out. A processor's structure has a
   bl_unit_base as its first member. */
#ifndef BACKLINE_MIDI_PROCESSOR_H
#define BACKLINE_MIDI_PROCESSOR_H

#include "base/unit_base.h"

enum {
    BL_NOTE_OFF = 0x80,
    BL_NOTE_ON = 0x90,
    BL_NOTE_PRESSURE = 0xA0,
    BL_CONTROLLER = 0xB0,

    BL_CONTROLLER_ALL_SOUND_OFF = 120,
    BL_CONTROLLER_ALL_NOTES_OFF = 123 /* and above: the mode messages, which imply it */
};

/* A cycle under way, as a processor sends into it. */
typedef struct bl_midi_cycle {
    const bl_render_host *host;
    const bl_timestamp *timestamp;
    uint32_t frames;
} bl_midi_cycle;

/* What a processor does with one message, and with the frames behind it. [render] */
typedef void (*bl_midi_receive)(bl_unit *unit, const bl_midi_cycle *cycle, int64_t time,
                                const bl_midi_event *message) BL_NONBLOCKING;
/* Does what a parameter event says, at its time. [render] */
typedef void (*bl_midi_change)(bl_unit *unit, const bl_midi_cycle *cycle, int64_t time,
                               const bl_event *event) BL_NONBLOCKING;
/* Plays the frames from `first` up to `end`, in sample time. [render] */
typedef void (*bl_midi_process)(bl_unit *unit, const bl_midi_cycle *cycle, int64_t first,
                                int64_t end) BL_NONBLOCKING;

/* Takes the configuration, which has no busses. [control; not allocated] */
bl_status bl_midi_processor_allocate(bl_unit *unit, const bl_render_configuration *configuration);

/* Applies a parameter event, for processors that have nothing else to do about it. [render] */
void bl_midi_processor_change(bl_unit *unit, const bl_midi_cycle *cycle, int64_t time,
                              const bl_event *event) BL_NONBLOCKING;

/* Sends one message of three bytes. [render] */
void bl_midi_processor_send(const bl_midi_cycle *cycle, int64_t time, uint8_t status, uint8_t first,
                            uint8_t second) BL_NONBLOCKING;

/* Sends a message as it came. [render] */
void bl_midi_processor_pass(const bl_midi_cycle *cycle, int64_t time,
                            const bl_midi_event *message) BL_NONBLOCKING;

/* Renders one cycle: hands on system exclusive, and everything else to the functions given;
   `process` may be NULL. The other arguments are the descriptor's render's. [render] */
bl_status bl_midi_processor_render(bl_unit *unit, const bl_timestamp *timestamp, uint32_t frames,
                                   uint32_t bus, const bl_event *events, const bl_render_host *host,
                                   bl_midi_receive receive, bl_midi_change change,
                                   bl_midi_process process) BL_NONBLOCKING;

/* Does the message begin a note? Velocity 0 ends one. [render] */
static inline bool bl_midi_is_note_on(const bl_midi_event *message) BL_NONBLOCKING {
    return (message->bytes[0] & 0xF0) == BL_NOTE_ON && message->bytes[2] > 0;
}

/* Does the message end a note? [render] */
static inline bool bl_midi_is_note_off(const bl_midi_event *message) BL_NONBLOCKING {
    uint8_t kind = message->bytes[0] & 0xF0;
    return kind == BL_NOTE_OFF || (kind == BL_NOTE_ON && message->bytes[2] == 0);
}

/* Does the message end every note of its channel? [render] */
static inline bool bl_midi_is_all_off(const bl_midi_event *message) BL_NONBLOCKING {
    return (message->bytes[0] & 0xF0) == BL_CONTROLLER &&
           (message->bytes[1] == BL_CONTROLLER_ALL_SOUND_OFF ||
            message->bytes[1] >= BL_CONTROLLER_ALL_NOTES_OFF);
}

#endif
