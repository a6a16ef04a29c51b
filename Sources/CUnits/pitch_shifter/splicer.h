/* Moves a sound by a factor with little delay: reads the past faster or slower than it is written,
 * and crosses over to a place some periods away when it comes too near the present or too far from
 * it: the splices of Lent, "An efficient method for pitch shifting digitally sampled sounds",
 * Computer Music Journal 13(4), 1989, on a pitch tracker. The distance is a whole number of periods
 * of a tone, and the lag at which the sound resembles itself most where there is no single tone. */
#pragma once

#include "dsp/crossfade.h"
#include "dsp/lagrange.h"
#include "dsp/pitch_tracker.h"

/* The past that all voices read, and where it is spliced. */
typedef struct bl_splice_past {
    float *ring; /* `frames` of them, a power of two */
    uint32_t frames;
    uint32_t write;
    double rate;        /* Hz */
    double period;      /* of a tone, frames; 0: there is none */
    double resemblance; /* the lag without a tone, frames */
    uint32_t results;   /* of the tracker, that were taken in */
} bl_splice_past;

/* A voice. */
typedef struct bl_splicer {
    double delay; /* frames */
    double next;  /* of the place that fades in */
    bl_crossfade fade;
} bl_splicer;

/* How near to the present a voice may read: what the interpolation needs. Frames */
#define BL_SPLICE_NEAREST 4.0

/* What was written `delay` frames before the frame at `place`. [render] */
BL_INLINE float bl_splice_past_at(const bl_splice_past *past, uint32_t place,
                                  double delay) BL_NONBLOCKING {
    double whole = ceil(delay);
    float taps[BL_LAGRANGE_TAPS];
    bl_lagrange_taps((float)(whole - delay), taps);
    uint32_t first = place - (uint32_t)whole - BL_LAGRANGE_BEFORE, mask = past->frames - 1;
    float sum = 0;
    for (uint32_t tap = 0; tap < BL_LAGRANGE_TAPS; tap += 1) {
        sum += taps[tap] * past->ring[(first + tap) & mask];
    }
    return sum;
}

/* Frames that the ring must hold: a power of two. [any] */
uint32_t bl_splice_frames(double sample_rate);
/* [render, or idle] */
void bl_splice_reset(bl_splice_past *past, double sample_rate) BL_NONBLOCKING;
/* Takes in what the tracker knows. [render] */
void bl_splice_learn(bl_splice_past *past, const bl_pitch_tracker *tracker) BL_NONBLOCKING;
/* Writes frames. [render] */
void bl_splice_write(bl_splice_past *past, const float *input, uint32_t frames) BL_NONBLOCKING;
/* Plays the frames that were written last. [render] */
void bl_splicer_process(bl_splicer *voice, const bl_splice_past *past, double factor, float *output,
                        uint32_t frames) BL_NONBLOCKING;
