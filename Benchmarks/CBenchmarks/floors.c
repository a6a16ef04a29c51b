#include "floors.h"

#include <string.h>

#include "backline/attributes.h"

static BL_VECTOR_CLONES void multiply(const float *from, float *to, uint32_t frames, float gain) {
    if (from == to) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] *= gain;
        }
        return;
    }
    const float *BL_RESTRICT source = from;
    float *BL_RESTRICT target = to;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        target[frame] = source[frame] * gain;
    }
}

static BL_VECTOR_CLONES void add_scaled(float *BL_RESTRICT sum, const float *BL_RESTRICT samples,
                                        uint32_t frames, float level) {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sum[frame] += samples[frame] * level;
    }
}

void bl_floor_chain(const float *const *inputs, float *const *outputs, uint32_t channel_count,
                    uint32_t frames, const float *gains, uint32_t unit_count, uint32_t cycles) {
    for (uint32_t cycle = 0; cycle < cycles; cycle += 1) {
        for (uint32_t unit = 0; unit < unit_count; unit += 1) {
            for (uint32_t channel = 0; channel < channel_count; channel += 1) {
                multiply(unit == 0 ? inputs[channel] : outputs[channel], outputs[channel], frames,
                         gains[unit]);
            }
        }
    }
}

void bl_floor_fan_in(const float *const *inputs, float *const *buffers, float *const *outputs,
                     uint32_t channel_count, uint32_t frames, const float *gains,
                     const float *levels, uint32_t unit_count, uint32_t cycles) {
    for (uint32_t cycle = 0; cycle < cycles; cycle += 1) {
        for (uint32_t unit = 0; unit < unit_count; unit += 1) {
            for (uint32_t channel = 0; channel < channel_count; channel += 1) {
                multiply(inputs[channel], buffers[unit * channel_count + channel], frames,
                         gains[unit]);
            }
        }
        for (uint32_t channel = 0; channel < channel_count; channel += 1) {
            memset(outputs[channel], 0, frames * sizeof(float));
            for (uint32_t unit = 0; unit < unit_count; unit += 1) {
                add_scaled(outputs[channel], buffers[unit * channel_count + channel], frames,
                           levels[unit]);
            }
        }
    }
}
