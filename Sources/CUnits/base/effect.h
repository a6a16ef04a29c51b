/* Base of effects: one input bus, one output bus, equal channel counts. */
#pragma once

#include "base/built_in.h"
#include "dsp/chunk.h"

/* The busses of such an effect, for its descriptor; stereo unless the host sets other channel
   counts. */
#define BL_EFFECT_BUSSES                                                                           \
    .flags = BL_UNIT_CAN_PROCESS_IN_PLACE, .input_busses = bl_effect_input, .input_bus_count = 1,  \
    .output_busses = bl_effect_output, .output_bus_count = 1

static const bl_bus_info bl_effect_input[] = {{"input", 2, 0}};
static const bl_bus_info bl_effect_output[] = {{"output", 2, 0}};

/* Descriptor members of an effect: aufx/ABCD/bkln. */
#define BL_EFFECT(A, B, C, D) BL_BUILT_IN(BL_TYPE_EFFECT, A, B, C, D), BL_EFFECT_BUSSES

/* A `change` of a kit: a boolean's ramp moves to its new value within BL_DECLICK_TIME, as the
   weight of the sound that it switches. [render, or idle] */
void bl_change_declicked(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING;

/* Multiplies a channel by `factors`, one per frame; `from` may equal `to`. [render] */
BL_INLINE void bl_multiply_channel(const float *from, float *to, uint32_t frames,
                                   const float *factors) BL_NONBLOCKING {
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        to[frame] = from[frame] * factors[frame];
    }
}

/* Computes output = input × factor, all channels. [render] */
BL_INLINE void bl_multiply(const bl_io *io, uint32_t channels, uint32_t first_frame,
                           uint32_t frames, float factor) BL_NONBLOCKING {
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        const float *from = io->input[channel] + first_frame;
        float *to = io->output[channel] + first_frame;
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = from[frame] * factor;
        }
    }
}

/* Computes output = input × the gain of a fader, all channels; the ramp advances. Takes the cycle's
   parts instead of the bl_io, which so stays in registers. [render] */
void bl_multiply_by_fader(float *const *input, float *const *output, uint32_t channels,
                          uint32_t first_frame, uint32_t frames, bl_ramp *decibels) BL_NONBLOCKING;
