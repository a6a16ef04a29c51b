/* Declarations of the step sequencer: step_sequencer.c has its life cycle and its keys,
   step_parameters.h its table, step_presets.h its patterns, step_play.c the playing of steps,
   step_record.c the recording of keys. */
#pragma once

#include "base/beat_steps.h"

enum { BL_STEPS = 64, BL_STEPS_OF_PATTERN = 16 };

enum {
    BL_STEP_PLAY,
    BL_STEP_PATTERN,
    BL_STEP_LENGTH,
    BL_STEP_RATE,
    BL_STEP_SWING,
    BL_STEP_DIRECTION,
    BL_STEP_NOTE,
    BL_STEP_TRANSPOSE,
    BL_STEP_CHANNEL,
    BL_STEP_SEED,
    BL_STEP_TEMPO,
    BL_STEP_RECORD,
    /* Lanes: one parameter per step. */
    BL_STEP_PITCH,
    BL_STEP_VELOCITY = BL_STEP_PITCH + BL_STEPS,
    BL_STEP_GATE = BL_STEP_VELOCITY + BL_STEPS,
    BL_STEP_PROBABILITY = BL_STEP_GATE + BL_STEPS,
    BL_STEP_RATCHET = BL_STEP_PROBABILITY + BL_STEPS,
    BL_STEP_PARAMETER_COUNT = BL_STEP_RATCHET + BL_STEPS
};

/* The conditions under which it plays. */
typedef enum bl_step_play { BL_STEP_BOTH, BL_STEP_TRANSPORT, BL_STEP_KEYS } bl_step_play;
typedef enum bl_step_direction {
    BL_STEP_FORWARD,
    BL_STEP_BACKWARD,
    BL_STEP_PING_PONG,
    BL_STEP_RANDOM
} bl_step_direction;

typedef struct bl_step_unit {
    bl_unit_base base;
    bl_beat_steps steps;
    bl_held_keys keys;
    bl_notes heard;   /* notes of recorded keys */
    int64_t entered;  /* index of the step for the next key while none is played */
    int64_t recorded; /* future step with a recorded key, or BL_STEP_NONE */
} bl_step_unit;

/* A number that no step has. */
#define BL_STEP_NONE INT64_MIN

/* Whether it plays now. [render] */
bool bl_step_is_playing(const bl_step_unit *unit) BL_NONBLOCKING;

/* The number of the step nearest to a time. [render] */
int64_t bl_step_nearest(const bl_step_unit *unit, int64_t time) BL_NONBLOCKING;
/* Whether a step starts after a time. [render] */
bool bl_step_is_ahead(const bl_step_unit *unit, int64_t number, int64_t time) BL_NONBLOCKING;
/* The index among the 64 steps of a step's number, by the direction; and of the step so many after
   the pattern's first. [render] */
uint32_t bl_step_of(const bl_step_unit *unit, int64_t number) BL_NONBLOCKING;
uint32_t bl_step_at(const bl_step_unit *unit, int64_t place) BL_NONBLOCKING;

/* Whether keys are recorded; record one, at io->now. [render] */
bool bl_step_records(const bl_step_unit *unit) BL_NONBLOCKING;
void bl_step_record(bl_step_unit *unit, const bl_io *io, bl_held_key key) BL_NONBLOCKING;

/* Plays the steps from `first` up to `end`, in sample time. [render] */
void bl_step_play_steps(bl_step_unit *unit, const bl_io *io, int64_t first,
                        int64_t end) BL_NONBLOCKING;
