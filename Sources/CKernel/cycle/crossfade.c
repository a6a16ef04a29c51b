#include "cycle/crossfade.h"

#include <string.h>

static void copy(float *output, const float *samples, uint32_t frames) BL_NONBLOCKING {
    if (samples == NULL) {
        memset(output, 0, frames * sizeof(float));
    } else if (output != samples) {
        memcpy(output, samples, frames * sizeof(float));
    }
}

uint32_t bl_crossfade(float *output, const float *from, const float *to, uint32_t position,
                      uint32_t length, bool rises, uint32_t frames) BL_NONBLOCKING {
    uint32_t left = rises ? length - position : position;
    uint32_t fading = left < frames ? left : frames;
    float step = 1.0f / (float)(int32_t)length;
    for (uint32_t frame = 0; frame < fading; frame += 1) {
        uint32_t place = rises ? position + frame : position - frame;
        float passed = (float)(int32_t)place * step;
        float share = passed * passed * (3.0f - 2.0f * passed);
        float before = from != NULL ? from[frame] : 0.0f, after = to != NULL ? to[frame] : 0.0f;
        output[frame] = place == length ? after : before + (after - before) * share;
    }
    const float *rest = rises ? to : from;
    if (fading < frames) {
        copy(output + fading, rest != NULL ? rest + fading : NULL, frames - fading);
    }
    return bl_fade_move(position, length, rises, frames);
}
