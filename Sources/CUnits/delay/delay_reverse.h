/* Reverse reading: the line is cut into segments as long as the delay, and each is read backwards
   while the next is written. */
#pragma once

#include "delay/delay.h"

/* Starts to read the segment that ends here, if the last has ended. A segment and its crossfade fit
   twice into the line. */
BL_INLINE void bl_delay_follow_parts(bl_delay_unit *delay) BL_NONBLOCKING {
    if (!bl_delay_uses(delay, REVERSE) || delay->into < delay->part) {
        return;
    }
    uint32_t longest = (uint32_t)(delay->longest * 0.5) - delay->fade.frames;
    delay->before = delay->part;
    delay->part = bl_fewer((uint32_t)bl_delay_place(delay, 0), longest);
    delay->into = 0;
}

/* The frames, up to `frames`, before the next segment starts. */
BL_INLINE uint32_t bl_delay_part_left(const bl_delay_unit *delay, uint32_t frames) BL_NONBLOCKING {
    bool reverses = bl_delay_uses(delay, REVERSE);
    return reverses ? bl_fewer(frames, delay->part - delay->into) : frames;
}

/* The sample `back` frames before frame `frame` of the stretch. */
BL_INLINE float bl_delay_sample(const bl_moddelay *clock, const float *line, uint32_t back,
                                uint32_t frame) BL_NONBLOCKING {
    bool written = back <= clock->valid + frame;
    return written ? line[(clock->write + frame - back) & clock->mask] : 0;
}

/* Crossfades the echoes to the reversed line. Each segment crossfades to the next, smooth at both
   ends; the shares add up to 1, as equal power in a loop would gain 3 dB a pass on correlated
   sounds. */
BL_INLINE void bl_delay_reverse(const bl_delay_unit *delay, const float *line, float *echoes,
                                uint32_t frames) BL_NONBLOCKING {
    uint32_t fade = bl_fewer(delay->fade.frames, delay->part / 2);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        uint32_t into = delay->into + frame;
        float sample = bl_delay_sample(&delay->clock, line, 2 * into + 1, frame);
        if (into < fade) {
            float done = (float)(int32_t)into / (float)(int32_t)fade;
            float incoming = done * done * (3 - 2 * done);
            uint32_t back = 2 * (delay->before + into) + 1;
            float last = bl_delay_sample(&delay->clock, line, back, frame);
            last = delay->before > 0 ? last : 0;
            sample = bl_crossfade_mix(last, sample, incoming, BL_CORRELATED);
        }
        float share = bl_ramp_value(&delay->base.parameters[REVERSE], frame);
        echoes[frame] = (1.0f - share) * echoes[frame] + share * sample;
    }
}
