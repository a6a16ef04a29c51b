/* A cloud of grains: short pieces of the past, each under a Hann window, at a place, a speed and a
   side of its own (Curtis Roads, "Microsound", 2001). */
#pragma once

#include <stdbool.h>

#include "dsp/moddelay.h"
#include "dsp/random_value.h"

enum { GRAIN_CHANNELS = 2, MOST_GRAINS = 64 };

/* The last place that can be read, frames back. */
#define GRAIN_NEAREST (BL_MODDELAY_SHORTEST + 1.0)

/* How the next grain is to be. */
typedef struct grain_settings {
    double position, spray; /* frames back */
    double length;          /* frames */
    double speed;
    float reverse, spread; /* 0 to 1 */
    float overlap;         /* grains that sound at once on average */
    uint32_t most;
} grain_settings;

typedef struct grain {
    double back;            /* of the place that is read, frames */
    double speed;           /* below 0: backwards */
    uint32_t frame, length; /* of the window */
    float step;             /* turns of the window a frame */
    float gains[GRAIN_CHANNELS];
} grain;

/* All zero begins with a grain at once. */
typedef struct grain_cloud {
    grain grains[MOST_GRAINS];
    uint32_t count;
    uint64_t begun; /* grains since the reset */
    double wait;    /* until the next grain, in grains' distances */
} grain_cloud;

/* Whether the next frame is the one nearest to the next grain's beginning; `distance` is the part
   of the distance between two grains that a frame brings. [render] */
BL_INLINE bool grain_cloud_is_due(double wait, double distance) BL_NONBLOCKING {
    return wait <= 0.5 * distance;
}

/* At most `frames` frames until the next grain begins. [render] */
BL_INLINE uint32_t grain_cloud_wait(const grain_cloud *cloud, const double *distances,
                                    uint32_t frames) BL_NONBLOCKING {
    double wait = cloud->wait;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        if (grain_cloud_is_due(wait, distances[frame])) {
            return frame;
        }
        wait -= distances[frame];
    }
    return frames;
}

/* Begins a grain, unless there are as many as there may be; the next is due after one distance,
   shortened or lengthened by up to `jitter` of it. [render] */
void grain_cloud_begin(grain_cloud *cloud, const grain_settings *settings, uint32_t seed,
                       float jitter, bool past_moves) BL_NONBLOCKING;

/* Adds all grains to `sums`, BL_CHUNK_FRAMES apart. `lines` are the past's, one channel or two;
   `outputs` channels are played. [render] */
void grain_cloud_play(grain_cloud *cloud, const bl_moddelay *past, const bl_sinc *sinc,
                      const float *lines, uint32_t inputs, bool past_moves, float *sums,
                      uint32_t outputs, const double *distances, uint32_t frames) BL_NONBLOCKING;
