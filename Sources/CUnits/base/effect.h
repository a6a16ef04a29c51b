/* What effects share: one input bus, one output bus, as many channels out as in. */
#ifndef BACKLINE_EFFECT_H
#define BACKLINE_EFFECT_H

#include "base/built_in.h"
#include "dsp/chunk.h"

/* The busses of such an effect, for its descriptor; stereo unless the host sets other widths. */
#define BL_EFFECT_BUSSES                                                                           \
    .flags = BL_UNIT_CAN_PROCESS_IN_PLACE, .input_busses = bl_effect_input, .input_bus_count = 1,  \
    .output_busses = bl_effect_output, .output_bus_count = 1

static const bl_bus_info bl_effect_input[] = {{"input", 2, 0}};
static const bl_bus_info bl_effect_output[] = {{"output", 2, 0}};

/* An effect's members of its descriptor: aufx/ABCD/bkln. */
#define BL_EFFECT(A, B, C, D) BL_BUILT_IN(BL_TYPE_EFFECT, A, B, C, D), BL_EFFECT_BUSSES

/* A `change` of a kit: a boolean's ramp goes to its new value within BL_DECLICK_TIME, as the weight
   of what it switches. [render, or idle] */
void bl_change_declicked(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING;

/* Multiplies a channel by `factors`, one a frame; `from` may equal `to`. [render] */
BL_INLINE void bl_multiply_channel(const float *from, float *to, uint32_t frames,
                                   const float *factors) BL_NONBLOCKING {
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        to[frame] = from[frame] * factors[frame];
    }
}

/* output = input × factor, all channels. [render] */
BL_INLINE void bl_multiply(const bl_io *io, uint32_t first_frame, uint32_t frames,
                           float factor) BL_NONBLOCKING {
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < io->outputs[0].channel_count; channel += 1) {
        const float *from = io->input[channel] + first_frame;
        float *to = io->output[channel] + first_frame;
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = from[frame] * factor;
        }
    }
}

/* output = input × factor_of(ramp), all channels; the ramp moves on. [render] */
BL_INLINE void bl_multiply_by_ramp(const bl_io *io, uint32_t first_frame, uint32_t frames,
                                   bl_ramp *ramp,
                                   float (*factor_of)(float) BL_NONBLOCKING) BL_NONBLOCKING {
    float factors[BL_CHUNK_FRAMES];
    for (uint32_t done = 0, count; done < frames; done += count) {
        count = bl_fewer(frames - done, BL_CHUNK_FRAMES);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            factors[frame] = factor_of(bl_ramp_value(ramp, frame));
        }
        bl_ramp_advance(ramp, count);
        for (uint32_t channel = 0; channel < io->outputs[0].channel_count; channel += 1) {
            bl_multiply_channel(io->input[channel] + first_frame + done,
                                io->output[channel] + first_frame + done, count, factors);
        }
    }
}

#endif
