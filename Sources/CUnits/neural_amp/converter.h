/* Converts to a model's sample rate and back: a sinc with a Kaiser window, tabulated at 512
 * positions between two frames and interpolated between those (Julius O. Smith and Phil Gossett, "A
 * flexible sampling-rate conversion method", 1984).
 *
 * Within 0.1 dB up to 0.42 of the lower of the two rates; images and aliases there are at -80 dB.
 * Every position is a fraction of whole numbers, so nothing drifts.
 */
#pragma once

#include <stdbool.h>

#include "backline/attributes.h"

enum { BL_AMP_CONVERTED_CHANNELS = 2 };

/* One direction of the conversion. */
typedef struct bl_amp_way {
    uint32_t step, whole; /* an output frame is step / whole input frames */
    uint32_t taps;
    uint32_t first_held;  /* frames of silence at the start */
    uint64_t first_place; /* in 1 / whole frames */
    uint32_t capacity;    /* frames of each channel */
    float *table;         /* (512 + 2) × taps */
    float *held[BL_AMP_CONVERTED_CHANNELS];
    uint32_t held_count[BL_AMP_CONVERTED_CHANNELS];
    uint64_t places[BL_AMP_CONVERTED_CHANNELS];
} bl_amp_way;

typedef struct bl_amp_converter {
    bl_amp_way there, back;
    uint32_t latency; /* frames at the sound's rate */
    uint32_t most;    /* most frames at the model's rate from one chunk */
} bl_amp_converter;

/* Opens a converter for chunks of at most `chunk` frames. False when memory is short; close it
   then, too. [control] */
bool bl_amp_converter_open(bl_amp_converter *converter, uint32_t sound_rate, uint32_t model_rate,
                           uint32_t chunk, uint32_t channel_count);
void bl_amp_converter_close(bl_amp_converter *converter);
void bl_amp_converter_reset(bl_amp_converter *converter) BL_NONBLOCKING;

/* Converts `frames` frames and returns the number of output frames, `most` at most. [render] */
uint32_t bl_amp_way_process(bl_amp_way *way, uint32_t channel, const float *input, uint32_t frames,
                            float *output, uint32_t most) BL_NONBLOCKING;
