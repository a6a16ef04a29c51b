/* Moves a sound by a factor with little delay: reads the past faster or slower than it is written,
   and crossfades to a position some periods away when it comes too near to the present or too far
   from it: the splices of Lent, "An efficient method for pitch shifting digitally sampled sounds",
   Computer Music Journal 13(4), 1989, with a pitch tracker. The distance is a whole number of
   periods of a tone, or, without a single tone, the lag of the highest self-similarity. */
#pragma once

#include "dsp/crossfade.h"
#include "dsp/lagrange.h"
#include "dsp/pitch_tracker.h"

/* The past that all voices read, and its splice distance. */
typedef struct bl_splice_past {
    float *ring; /* `frames` samples, a power of two */
    uint32_t frames;
    uint32_t write;
    double rate;        /* Hz */
    double period;      /* period of a tone, frames; 0: none */
    double resemblance; /* the lag without a tone, frames */
    uint32_t results;   /* number of the tracker's results that were read */
} bl_splice_past;

/* A voice of splices. */
typedef struct bl_splicer {
    double delay; /* frames */
    double next;  /* delay that fades in */
    bl_crossfade fade;
} bl_splicer;

/* The shortest readable delay, by the interpolation, frames. */
#define BL_SPLICE_NEAREST 4.0

/* The sample `delay` frames before the frame at `place`. [render] */
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

/* Frames of the ring, a power of two. [any] */
uint32_t bl_splice_frames(double sample_rate);
/* [render, or idle] */
void bl_splice_reset(bl_splice_past *past, double sample_rate) BL_NONBLOCKING;
/* Reads the tracker's result. [render] */
void bl_splice_learn(bl_splice_past *past, const bl_pitch_tracker *tracker) BL_NONBLOCKING;
/* Writes frames. [render] */
void bl_splice_write(bl_splice_past *past, const float *input, uint32_t frames) BL_NONBLOCKING;
/* Plays the last written frames. [render] */
void bl_splicer_process(bl_splicer *voice, const bl_splice_past *past, double factor, float *output,
                        uint32_t frames) BL_NONBLOCKING;
