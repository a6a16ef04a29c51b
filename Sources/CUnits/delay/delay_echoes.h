/* The echoes: reading the lines at the heads, filtered. */
#pragma once

#include "delay/delay_loop.h"
#include "delay/delay_reverse.h"
#include "delay/delay_values.h"

/* The echoes of one channel. */
typedef struct bl_delay_echoes {
    float raw[BL_DELAY_STRETCH];  /* output of the last head, for a frozen line */
    float last[BL_DELAY_STRETCH]; /* the same, also reversed, and filtered: the feedback */
    float all[BL_DELAY_STRETCH];  /* plus the other heads */
    const float *heard;           /* `last` or `all` */
} bl_delay_echoes;

/* Reads a line at `part` of these positions. */
BL_INLINE void bl_delay_read_line(const bl_delay_unit *delay, const float *line, bool moves,
                                  const double *places, double place, double part, float *samples,
                                  uint32_t frames) BL_NONBLOCKING {
    if (!moves) {
        bl_moddelay_copy(&delay->clock, line, (uint32_t)(part * place), samples, frames);
        return;
    }
    double parts[BL_DELAY_STRETCH];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double back = part * places[frame];
        parts[frame] = back > BL_MODDELAY_SHORTEST ? back : BL_MODDELAY_SHORTEST;
    }
    bl_moddelay_read(&delay->clock, &delay->sinc, line, parts, samples, frames);
}

/* Reads a line with a head at `part` of the delay, crossfaded. */
BL_INLINE void bl_delay_read_head(const bl_delay_unit *delay, const float *line,
                                  const bl_delay_values *now, double part,
                                  float *samples) BL_NONBLOCKING {
    bl_delay_read_line(delay, line, now->places.move, now->places.present, delay->head.value, part,
                       samples, now->frames);
    if (delay->fade.left > 0) {
        float next[BL_DELAY_STRETCH];
        bl_delay_read_line(delay, line, now->places.move, now->places.next, delay->next, part, next,
                           now->frames);
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            samples[frame] =
                bl_crossfade_mix(samples[frame], next[frame], now->incoming[frame], BL_CORRELATED);
        }
    }
}

/* Adds the heads before the last, each with its level. */
BL_INLINE void bl_delay_add_heads(const bl_delay_unit *delay, bl_delay_loop *loop,
                                  const float *line, const bl_delay_values *now,
                                  float *echoes) BL_NONBLOCKING {
    float early[BL_DELAY_STRETCH] = {0}, read[BL_DELAY_STRETCH];
    for (uint32_t head = 0; head < BL_DELAY_EARLY_HEADS; head += 1) {
        if (!bl_delay_uses(delay, QUARTER_HEAD + head)) {
            continue;
        }
        const bl_ramp *level = &delay->base.parameters[QUARTER_HEAD + head];
        bl_delay_read_head(delay, line, now, 0.25 * (1 + head), read);
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            early[frame] += bl_ramp_value(level, frame) * 0.01f * read[frame];
        }
    }
    bl_delay_filter(delay, &loop->early, early, now->frames);
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        echoes[frame] += early[frame];
    }
}

BL_INLINE void bl_delay_read_echoes(bl_delay_unit *delay, uint32_t channel,
                                    const bl_delay_values *now,
                                    bl_delay_echoes *echoes) BL_NONBLOCKING {
    const float *line = delay->lines + (size_t)channel * bl_moddelay_floats(&delay->clock);
    bl_delay_loop *loop = &delay->loops[channel];
    size_t bytes = now->frames * sizeof(float);
    bl_delay_read_head(delay, line, now, 1, echoes->last);
    if (now->freezes) {
        memcpy(echoes->raw, echoes->last, bytes);
    }
    if (now->reverses) {
        bl_delay_reverse(delay, line, echoes->last, now->frames);
    }
    bl_delay_filter(delay, &loop->last, echoes->last, now->frames);
    echoes->heard = echoes->last;
    if (bl_delay_first_head(delay) < 1) {
        memcpy(echoes->all, echoes->last, bytes);
        bl_delay_add_heads(delay, loop, line, now, echoes->all);
        echoes->heard = echoes->all;
    } else {
        loop->early = (bl_delay_filters){0};
    }
}
