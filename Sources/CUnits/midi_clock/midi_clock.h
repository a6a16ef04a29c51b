/* Declarations of the MIDI clock: midi_clock.c has table and life cycle, midi_clock_play.c the
   ticks of the transport, midi_clock_input.c those of an incoming clock. */
#pragma once

#include "base/beat_line.h"
#include "base/midi_processor.h"

enum { BL_CLOCK_SOURCE, BL_CLOCK_RATIO, BL_CLOCK_TEMPO, BL_CLOCK_PARAMETER_COUNT };

/* Status bytes (MIDI 1.0 Detailed Specification, system common and real time messages). */
enum {
    BL_CLOCK_POSITION = 0xF2, /* in sixteenths, of 14 bits */
    BL_CLOCK_TICK = 0xF8,
    BL_CLOCK_START = 0xFA,
    BL_CLOCK_CONTINUE = 0xFB,
    BL_CLOCK_STOP = 0xFC
};
enum { BL_TICKS_IN_QUARTER = 24, BL_TICKS_IN_SIXTEENTH = 6, BL_LAST_POSITION = 16383 };

/* The ratio of ticks; one of both is 1. */
typedef struct bl_clock_ratio {
    int32_t times, divided_by;
} bl_clock_ratio;

/* An incoming clock. All zero: none. */
typedef struct bl_clock_input {
    uint32_t count;   /* ticks since the start */
    int64_t time;     /* sample time of the last tick */
    int64_t interval; /* frames between the last two; 0: unknown */
    int32_t due;      /* ticks still to send for the last one */
} bl_clock_input;

/* The state of the receivers. */
typedef enum bl_clock_state {
    BL_CLOCK_STOPPED,
    BL_CLOCK_STARTING, /* start not sent yet */
    BL_CLOCK_STARTED,  /* start sent; they wait for their first tick */
    BL_CLOCK_RUNNING
} bl_clock_state;

typedef struct bl_clock_unit {
    bl_unit_base base;
    bl_beat_line line;
    bool has_input; /* follows an incoming clock instead of the transport */
    bl_clock_state state;
    double last;      /* song position of the last tick, quarters, or BL_BEAT_NOWHERE */
    double beginning; /* song position at which the receivers start, with a tick, quarters */
    int64_t ready;    /* sample time from which they are ready for it; INT64_MIN: start not sent */
    bl_clock_input input;
} bl_clock_unit;

bl_clock_ratio bl_clock_ratio_of(const bl_clock_unit *unit) BL_NONBLOCKING;

/* Sends a message of one byte. [render] */
void bl_clock_send(const bl_io *io, int64_t time, uint8_t status) BL_NONBLOCKING;
/* Sends a song position, in sixteenths. [render] */
void bl_clock_send_position(const bl_io *io, int64_t time, int64_t sixteenths) BL_NONBLOCKING;

/* Sends stop to the receivers, if they have received a start. [render] */
void bl_clock_stop(bl_clock_unit *unit, const bl_io *io, int64_t time) BL_NONBLOCKING;
/* Sends the transport's ticks, starts and stops. [render] */
void bl_clock_play(bl_clock_unit *unit, const bl_io *io, int64_t first, int64_t end) BL_NONBLOCKING;

/* Handles a message of an incoming clock. [render] */
void bl_clock_receive(bl_clock_unit *unit, const bl_io *io, int64_t time,
                      const bl_midi_event *message) BL_NONBLOCKING;
/* Sends the ticks between incoming ones. [render] */
void bl_clock_multiply(bl_clock_unit *unit, const bl_io *io, int64_t first,
                       int64_t end) BL_NONBLOCKING;
