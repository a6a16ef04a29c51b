/* The processing in the feedback loop: tone, low cut, limiter, drive. */
#pragma once

#include <complex.h>

#include "delay/delay.h"
#include "dsp/decibels.h"

/* Bounds of the limiter's hold, seconds. Its envelope holds a peak for one pass of the loop, so
   that no period of a sound distorts the next; then it falls to 1/e in the same time. */
#define BL_DELAY_SHORTEST_HOLD 0.005
#define BL_DELAY_LONGEST_HOLD 0.5

/* The share of the lows that the low cut removes, from 0 at BL_DELAY_CUT_OPEN to 1 at 10 Hz above
   it. `cut` in Hz. */
BL_INLINE float bl_delay_cut_share(float cut) BL_NONBLOCKING {
    float share = (cut - BL_DELAY_CUT_OPEN) * 0.1f;
    return share < 1.0f ? share : 1.0f;
}

/* Removes the lows: the input less its low-pass. */
BL_INLINE void bl_delay_cut(const bl_delay_unit *delay, bl_one_pole *past, float *samples,
                            uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *cut = &delay->base.parameters[LOW_CUT];
    if (!bl_ramp_is_moving(cut) && cut->target <= BL_DELAY_CUT_OPEN) {
        *past = (bl_one_pole){0};
        return;
    }
    float lows[BL_DELAY_STRETCH];
    bl_one_pole_process(past, &delay->cut_clock, cut, delay->tone_scale, samples, lows, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] -= bl_delay_cut_share(bl_ramp_value(cut, frame)) * lows[frame];
    }
}

/* Filters highs and lows of the heads' output. */
BL_INLINE void bl_delay_filter(const bl_delay_unit *delay, bl_delay_filters *filters,
                               float *samples, uint32_t frames) BL_NONBLOCKING {
    bl_one_pole_process(&filters->tone, &delay->tone_clock, &delay->base.parameters[TONE],
                        delay->tone_scale, samples, samples, frames);
    bl_delay_cut(delay, &filters->cut, samples, frames);
}

/* The delay in frames of tone and low cut for a sine whose period is the delay: the angle of H(ω) =
   L_tone(ω) (1 - s L_cut(ω)), L(ω) = a (1 - z + z e^-jω) / (1 - (1 - a) e^-jω), over ω. */
BL_INLINE double bl_delay_lag(const bl_delay_unit *delay) BL_NONBLOCKING {
    const bl_ramp *parameters = delay->base.parameters;
    double period = (double)bl_delay_seconds(delay, BL_RAMP_END) * delay->base.sample_rate;
    if (period >= BL_DELAY_TUNED * delay->base.sample_rate) {
        return 0;
    }
    double angle = 2 * 3.14159265358979 / period;
    double _Complex back = cexp(-I * angle);
    bl_one_pole_factors tone = bl_one_pole_find(parameters[TONE].target, delay->tone_scale);
    double cut_off = parameters[LOW_CUT].target;
    bl_one_pole_factors cut = bl_one_pole_find((float)cut_off, delay->tone_scale);
    double _Complex passed =
        bl_one_pole_response(tone, back) *
        (1 - bl_delay_cut_share((float)cut_off) * bl_one_pole_response(cut, back));
    return -carg(passed) / angle;
}

/* Limits the samples' peaks to full scale: samples below it are unchanged, and a sound at a steady
   level keeps its shape, so nothing aliases. */
BL_INLINE void bl_delay_limit(const bl_delay_unit *delay, bl_delay_loop *loop, float *samples,
                              uint32_t frames) BL_NONBLOCKING {
    uint32_t over = loop->excess > 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        over |= samples[frame] < -1 || samples[frame] > 1;
    }
    if (over == 0) {
        return;
    }
    double shortest = BL_DELAY_SHORTEST_HOLD * delay->base.sample_rate;
    double longest = BL_DELAY_LONGEST_HOLD * delay->base.sample_rate;
    double hold = bl_delay_place(delay, BL_RAMP_END);
    hold = hold > shortest ? hold : shortest;
    hold = hold < longest ? hold : longest;
    float fall = (float)(1 - 1 / hold);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float over = (samples[frame] < 0 ? -samples[frame] : samples[frame]) - 1;
        if (over >= loop->excess) {
            loop->excess = over;
            loop->held = (uint32_t)hold;
        } else if (loop->held > 0) {
            loop->held -= 1;
        } else {
            loop->excess = loop->excess > 1e-6f ? loop->excess * fall : 0;
        }
        samples[frame] /= 1 + loop->excess;
    }
}

/* Distorts the samples by x / √(1 + (gx)²), g = 10^(drive/20) - 1, with few aliases: the part that
   the curve removes is replaced by its mean since the last frame (waveshape.h), so that quiet
   samples lose nothing, however many passes they make. */
BL_INLINE void bl_delay_drive(const bl_ramp *drive, bl_delay_loop *loop, float *samples,
                              uint32_t frames) BL_NONBLOCKING {
    float before = loop->written;
    loop->written = samples[frames - 1];
    if (!bl_ramp_is_moving(drive) && drive->target <= 0) {
        return;
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float x = samples[frame];
        float g = bl_decibels_to_gain(bl_ramp_value(drive, frame)) - 1;
        float root = __builtin_elementwise_sqrt(1 + g * x * (g * x));
        float root_before = __builtin_elementwise_sqrt(1 + g * before * (g * before));
        samples[frame] = 0.5f * (x - before) + (x + before) / (root + root_before);
        before = x;
    }
}
