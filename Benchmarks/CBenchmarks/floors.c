#define _POSIX_C_SOURCE 200809L
#include "floors.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

uint64_t bl_floor_read_files(const char *const *paths, uint32_t count) {
    static char buffer[1 << 16];
    uint64_t bytes = 0;
    for (uint32_t index = 0; index < count; index += 1) {
        int file = open(paths[index], O_RDONLY | O_CLOEXEC);
        ssize_t length;
        while (file >= 0 && (length = read(file, buffer, sizeof buffer)) > 0) {
            bytes += (uint64_t)length;
        }
        if (file >= 0) {
            close(file);
        }
    }
    return bytes;
}
