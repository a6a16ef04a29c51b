/* The pitch of a single tone, from 27 Hz to 2.2 kHz, without latency for the sound and with the
 * same work for each frame.
 *
 * The octave: the normalised square difference function of McLeod and Wyvill, "A smarter way to
 * find pitch", ICMC 2005, over the last 100 ms at about 8 kHz. The cent: the phase of the first
 * partials between two Hann windows, each a whole number of periods long, so that the other
 * partials are at the window's zeros; a least-squares fit over the partials separates the
 * fundamental from the inharmonicity of a string, f_n = n · f_0 · sqrt(1 + B n²) (Fletcher 1964).
 * Both are cut into steps of a lag or a part of the windows, a few for each frame at the lower
 * rate.
 */
#pragma once

#include <string.h>

#include "svf.h"

enum {
    BL_PITCH_RING = 4096,  /* frames at the lower rate; a power of two */
    BL_PITCH_LAGS = 336,   /* the longest period searched */
    BL_PITCH_SPAN = 900,   /* frames that the difference function covers */
    BL_PITCH_HOP = 200,    /* frames between results */
    BL_PITCH_REACH = 4,    /* lags on each side for the interpolation */
    BL_PITCH_PARTIALS = 4, /* the most partials that refine the result */
    BL_PITCH_PARTS = 48    /* parts of the windows' work */
};

/* A result of the tracker. */
typedef struct bl_pitch {
    float frequency; /* Hz; 0 while no tone is heard */
    float clarity;   /* 0 to 1: periodicity of the sound */
    float level;     /* dB below full scale of a sine, over the difference function's span */
} bl_pitch;

/* Complex numbers, one for each partial. */
typedef struct bl_pitch_phasors {
    double re[BL_PITCH_PARTIALS], im[BL_PITCH_PARTIALS];
} bl_pitch_phasors;

/* The partials in two windows, so far. */
typedef struct bl_pitch_windows {
    uint32_t frames, done;         /* frames of a window, and frames done */
    bl_pitch_phasors turned, turn; /* the partials' phasors, and their rotation per frame */
    double hann[2], hann_turn[2];
    bl_pitch_phasors sums[2]; /* sums of the later window, and of the earlier */
} bl_pitch_windows;

typedef struct bl_pitch_tracker {
    double rate;      /* lower rate, Hz */
    uint32_t divisor; /* frames per frame at the lower rate */
    uint32_t phase;   /* frames since the last at the lower rate */
    bl_svf_coefficients low_pass[3];
    bl_svf_state states[3]; /* a Butterworth filter of sixth order */
    float sinc[8][2 * BL_PITCH_REACH + 1];
    float ring[2 * BL_PITCH_RING]; /* each frame twice, so that no stretch wraps */
    uint32_t write;                /* frames at the lower rate so far */
    /* The job: the sound up to `end` is analysed, step by step. */
    uint32_t end, step, since;
    float similarity[BL_PITCH_LAGS + 1]; /* the difference function, 1 at lag 0 */
    float heights[BL_PITCH_LAGS + 1];    /* heights of its peaks; 0 at other lags */
    double coarse;                       /* Hz; 0: none */
    bl_pitch_windows windows;
    float clarity, level;
    bl_pitch result;
    uint32_t results; /* number so far; wraps */
} bl_pitch_tracker;

/* Clears everything. `sample_rate` in Hz. [render, or idle] */
void bl_pitch_tracker_reset(bl_pitch_tracker *tracker, double sample_rate) BL_NONBLOCKING;

/* Analyses `frames` frames of one channel. A new result increments tracker->results. [render] */
void bl_pitch_tracker_listen(bl_pitch_tracker *tracker, const float *samples,
                             uint32_t frames) BL_NONBLOCKING;
