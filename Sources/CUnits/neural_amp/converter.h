/* Another sample rate for a model, there and back: a sinc windowed by Kaiser, tabulated at 512
 * places between two frames and interpolated between those (Julius O. Smith and Phil Gossett,
 * "A flexible sampling-rate conversion method", 1984).
 *
 * Within 0.1 dB up to 0.42 of the lower of the two rates; what would be mirrored to there is 80 dB
 * down. Every place is a fraction of whole numbers, so nothing drifts. */
#pragma once

#include <stdbool.h>

#include "backline/attributes.h"

enum { BL_AMP_CONVERTED_CHANNELS = 2 };

/* One way. */
typedef struct bl_amp_way {
    uint32_t step, whole; /* a frame that comes out is step / whole frames of what comes in */
    uint32_t taps;
    uint32_t first_held;  /* frames of silence at the beginning */
    uint64_t first_place; /* 1 / whole frames */
    uint32_t capacity;    /* frames of each channel */
    float *table;         /* (512 + 2) × taps */
    float *held[BL_AMP_CONVERTED_CHANNELS];
    uint32_t held_count[BL_AMP_CONVERTED_CHANNELS];
    uint64_t places[BL_AMP_CONVERTED_CHANNELS];
} bl_amp_way;

typedef struct bl_amp_converter {
    bl_amp_way there, back;
    uint32_t latency; /* frames at the sound's rate */
    uint32_t most;    /* frames at the model's rate that one chunk can become */
} bl_amp_converter;

/* Chunks have `chunk` frames at most. False when memory is short; close it then too. [control] */
bool bl_amp_converter_open(bl_amp_converter *converter, uint32_t sound_rate, uint32_t model_rate,
                           uint32_t chunk, uint32_t channel_count);
void bl_amp_converter_close(bl_amp_converter *converter);
void bl_amp_converter_reset(bl_amp_converter *converter) BL_NONBLOCKING;

/* Takes `frames` frames and answers how many have come out, of `most` at most. [render] */
uint32_t bl_amp_way_process(bl_amp_way *way, uint32_t channel, const float *input, uint32_t frames,
                            float *output, uint32_t most) BL_NONBLOCKING;
