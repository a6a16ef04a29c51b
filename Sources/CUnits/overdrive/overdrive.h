/* The overdrive's parts: overdrive.c has its table and its life, overdrive_render.c its sound,
   circuits.c the circuits, circuit.h says how they are played. */
#ifndef BACKLINE_OVERDRIVE_H
#define BACKLINE_OVERDRIVE_H

#include "base/effect.h"
#include "dsp/oversample8.h"
#include "overdrive/circuit.h"
#include "overdrive/circuits.h"

enum {
    BL_OVERDRIVE_MODEL,
    BL_OVERDRIVE_DRIVE, /* the knobs, in the order of BL_KNOB_... */
    BL_OVERDRIVE_TONE,
    BL_OVERDRIVE_BIAS,
    BL_OVERDRIVE_LEVEL,
    BL_OVERDRIVE_MIX,
    BL_OVERDRIVE_PARAMETER_COUNT
};

enum {
    BL_OVERDRIVE_GRID = 8, /* frames between places where knobs may be */
    /* At eight times the rate: what the input waits, so that the latency is whole. The output is
       half a frame late. */
    BL_OVERDRIVE_PAST = 7,
    BL_OVERDRIVE_LATENCY = (BL_OVERSAMPLE8_LAG + 6) / 8
};

/* One channel's state. */
typedef struct bl_overdrive_channel {
    float dry[BL_OVERDRIVE_LATENCY]; /* the input, oldest frame first */
    bl_oversample8 oversample8;
    float past[BL_OVERDRIVE_PAST];
    bl_circuit_state states[2]; /* of `playing` */
} bl_overdrive_channel;

/* A circuit as it plays. */
typedef struct bl_overdrive_playing {
    const bl_circuit *circuit;
    float gain; /* from its output to full scale */
    bl_circuit_matrices matrices;
} bl_overdrive_playing;

typedef struct bl_overdrive_unit {
    bl_unit_base base;
    bl_circuit *circuits;           /* BL_CIRCUIT_COUNT, at eight times the sample rate */
    bl_overdrive_channel *channels; /* output_channel_count */
    bl_overdrive_playing playing[2];
    uint32_t model;             /* as it sounds */
    uint32_t now;               /* its place in `playing`; the other goes out */
    bl_ramp changing;           /* share of `now`, up to 1 */
    float knobs[BL_KNOB_COUNT]; /* as they sound, 0 to 1 */
    uint32_t passed;            /* frames since the last line of the grid */
} bl_overdrive_unit;

/* Begins with the parameters as they are. [render or idle] */
void bl_overdrive_reset(bl_unit *unit) BL_NONBLOCKING;

/* A bl_effect_process. [render] */
void bl_overdrive_process(bl_unit *unit, float *const *input, float *const *output,
                          uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;

#endif
