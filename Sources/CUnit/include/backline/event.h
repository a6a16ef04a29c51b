/* Events of a unit within a cycle: parameter changes, ramps and MIDI, at exact frames. */
#ifndef BACKLINE_EVENT_H
#define BACKLINE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "parameter.h"

typedef enum bl_event_type {
    BL_EVENT_PARAMETER,
    BL_EVENT_PARAMETER_RAMP,
    BL_EVENT_MIDI,
    BL_EVENT_SYSTEM_EXCLUSIVE,
    BL_EVENT_NOTE_EXPRESSION /* only for units with BL_UNIT_NOTE_EXPRESSIONS */
} bl_event_type;

/* The longest ramp, frames: its counters fit in 31 bits. */
#define BL_LONGEST_RAMP 0x7fffffffu

typedef struct bl_parameter_event {
    bl_parameter_address address;
    float value; /* within the parameter's range, as the host ensures */
    /* The ramp's length, frames, BL_LONGEST_RAMP at most; 0 for a plain change. */
    uint32_t ramp_duration;
    bool is_line; /* a straight ramp, as lanes use; any other starts and ends smoothly */
} bl_parameter_event;

typedef struct bl_midi_event {
    uint8_t cable;    /* 0 to 255, sixteen channels each */
    uint8_t length;   /* 1 to 3 */
    uint8_t bytes[3]; /* a whole message, status byte first */
} bl_midi_event;

typedef struct bl_system_exclusive_event {
    uint8_t cable;
    uint32_t length;     /* bytes, 0xF0 and 0xF7 included */
    const uint8_t *data; /* valid for this cycle only */
} bl_system_exclusive_event;

/* An expression that one note has apart from all others, whatever its channel. */
typedef enum bl_expression {
    BL_EXPRESSION_PITCH,    /* semitones above the key's, -120 to 120 */
    BL_EXPRESSION_PRESSURE, /* 0 to 1; the higher of it and the channel's is used */
    BL_EXPRESSION_TIMBRE,   /* 0 to 1, like the pressure */
    BL_EXPRESSION_GAIN,     /* a factor, 0 to 4 */
    BL_EXPRESSION_PAN,      /* -1, left, to 1, right */
    BL_EXPRESSION_COUNT
} bl_expression;

/* Changes an expression of notes; a note starts with 0 for each, and a gain of 1. */
typedef struct bl_expression_event {
    uint32_t note_id; /* the notes with this identifier; 0: those of the key on this channel */
    uint8_t cable, channel, key;
    uint8_t expression; /* a bl_expression */
    float value;        /* within the expression's range, as the host ensures */
} bl_expression_event;

/* An event in a list in order of time. The host owns it; it lasts as long as the render call. */
typedef struct bl_event {
    const struct bl_event *next;
    /* The event's time in the timestamp's frames; a time before the cycle means its first frame. */
    int64_t sample_time;
    bl_event_type type;
    union {
        bl_parameter_event parameter;
        bl_midi_event midi;
        bl_system_exclusive_event system_exclusive;
        bl_expression_event expression;
    };
    uint32_t note_id; /* a note-on's identifier for expressions; 0: none */
} bl_event;

/* The range of an expression. [any] */
static inline float bl_expression_least(uint32_t expression) BL_NONBLOCKING {
    return expression == BL_EXPRESSION_PITCH ? -120 : expression == BL_EXPRESSION_PAN ? -1 : 0;
}
static inline float bl_expression_most(uint32_t expression) BL_NONBLOCKING {
    return expression == BL_EXPRESSION_PITCH ? 120 : expression == BL_EXPRESSION_GAIN ? 4 : 1;
}

/* Whether the event is a MIDI message, short or system exclusive. [any thread] */
static inline bool bl_event_is_midi(const bl_event *event) BL_NONBLOCKING {
    return event->type == BL_EVENT_MIDI || event->type == BL_EVENT_SYSTEM_EXCLUSIVE;
}

/* Whether the event changes a parameter, at once or by a ramp. [any] */
static inline bool bl_event_is_parameter(const bl_event *event) BL_NONBLOCKING {
    return event->type == BL_EVENT_PARAMETER || event->type == BL_EVENT_PARAMETER_RAMP;
}

#endif
