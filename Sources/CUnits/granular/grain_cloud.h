/* A cloud of grains: short pieces of the past, each under a Hann window, with a position, a speed
   and a pan of its own (Curtis Roads, "Microsound", 2001). */
#pragma once

#include <stdbool.h>

#include "dsp/moddelay.h"
#include "dsp/random_value.h"

enum { GRAIN_CHANNELS = 2, MOST_GRAINS = 64 };

/* The nearest readable position, frames back. */
#define GRAIN_NEAREST (BL_MODDELAY_SHORTEST + 1.0)

/* The settings of the next grain. */
typedef struct grain_settings {
    double position, spray; /* frames back */
    double length;          /* frames */
    double speed;
    float reverse, spread; /* 0 to 1 */
    float overlap;         /* mean number of grains at once */
    uint32_t most;
} grain_settings;

typedef struct grain {
    double back;            /* read position, frames back */
    double speed;           /* below 0: backwards */
    uint32_t frame, length; /* position in the window, and its length */
    float step;             /* turns of the window per frame */
    float gains[GRAIN_CHANNELS];
} grain;

/* A cloud. All zero: starts with a grain at once. */
typedef struct grain_cloud {
    grain grains[MOST_GRAINS];
    uint32_t count;
    uint64_t begun; /* grains started since the reset */
    double wait;    /* time to the next grain, in grain intervals */
} grain_cloud;

/* Whether the next frame is the nearest one to the next grain's start; `distance` is a frame's part
   of the interval between two grains. [render] */
BL_INLINE bool grain_cloud_is_due(double wait, double distance) BL_NONBLOCKING {
    return wait <= 0.5 * distance;
}

/* Frames, up to `frames`, before the next grain starts. [render] */
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

/* Starts a grain, unless there are as many as allowed; the next is due after one interval,
   shortened or lengthened by up to `jitter` of it. [render] */
void grain_cloud_begin(grain_cloud *cloud, const grain_settings *settings, uint32_t seed,
                       float jitter, bool past_moves) BL_NONBLOCKING;

/* Adds all grains to `sums`, BL_CHUNK_FRAMES apart. `lines`: the past of one or two channels;
   `outputs`: number of channels. [render] */
void grain_cloud_play(grain_cloud *cloud, const bl_moddelay *past, const bl_sinc *sinc,
                      const float *lines, uint32_t inputs, bool past_moves, float *sums,
                      uint32_t outputs, const double *distances, uint32_t frames) BL_NONBLOCKING;
