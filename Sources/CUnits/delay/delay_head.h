/* The read position. A changed time either glides, and bends the pitch like a moving tape head, or
   waits until the knob rests and crossfades once to the new position. */
#pragma once

#include "delay/delay_loop.h"
#include "dsp/lfo.h"

/* The glide's time constant, seconds. */
#define BL_DELAY_GLIDE_TIME 0.1
/* The top speed, frames per frame: the pitch falls to a quarter, or rises to seven quarters, at
   most. */
#define BL_DELAY_FASTEST 0.75
/* The same for the modulation's depth, with half the time constant. */
#define BL_DELAY_WOBBLE_FASTEST 0.25
/* Rest of a changed time before it fades, seconds. */
#define BL_DELAY_REST_TIME 0.05

/* The read positions of a stretch's frames. */
typedef struct bl_delay_places {
    bool move; /* else all heads rest, at whole frames */
    double present[BL_DELAY_STRETCH];
    double next[BL_DELAY_STRETCH];
} bl_delay_places;

/* Compares the position with the time's setting. With an empty line, which is silent, it jumps
   there. */
BL_INLINE void bl_delay_follow(bl_delay_unit *delay) BL_NONBLOCKING {
    delay->lag = bl_delay_lag(delay);
    double place = bl_delay_place(delay, 0);
    if (delay->clock.valid == 2 * BL_SINC_TAPS) {
        delay->head = (bl_glide){.value = place};
        delay->asked = place;
        delay->frames_until_steady = 0;
    }
    if (place != delay->asked || bl_ramp_is_moving(&delay->base.parameters[TIME])) {
        delay->asked = place;
        delay->frames_until_steady = (uint32_t)(BL_DELAY_REST_TIME * delay->base.sample_rate);
    }
    bool glides = delay->base.parameters[MOVE].target >= 0.5f;
    if (!glides && delay->fade.left == 0 && delay->frames_until_steady == 0 &&
        place != delay->head.value) {
        delay->next = place;
        bl_crossfade_begin(&delay->fade);
    }
}

BL_INLINE bool bl_delay_glides(const bl_delay_unit *delay) BL_NONBLOCKING {
    const bl_ramp *parameters = delay->base.parameters;
    return delay->fade.left == 0 && parameters[MOVE].target >= 0.5f &&
           (bl_ramp_is_moving(&parameters[TIME]) ||
            !bl_glide_rests(&delay->head, bl_delay_place(delay, 0)));
}

BL_INLINE bool bl_delay_wobbles(const bl_delay_unit *delay) BL_NONBLOCKING {
    return bl_ramp_is_moving(&delay->base.parameters[WOBBLE_DEPTH]) ||
           bl_delay_wobble_depth(delay, 0) > 0 || !bl_glide_rests(&delay->wobble_depth, 0);
}

/* The first head's position as a part of the delay. */
BL_INLINE double bl_delay_first_head(const bl_delay_unit *delay) BL_NONBLOCKING {
    for (uint32_t head = 0; head < BL_DELAY_EARLY_HEADS; head += 1) {
        if (bl_delay_uses(delay, QUARTER_HEAD + head)) {
            return 0.25 * (1 + head);
        }
    }
    return 1;
}

/* Whether all heads read at whole frames with the last head at `place`. */
BL_INLINE bool bl_delay_is_whole(const bl_delay_unit *delay, double place) BL_NONBLOCKING {
    bool whole = place == (double)(uint32_t)place;
    for (uint32_t head = 0; head < BL_DELAY_EARLY_HEADS; head += 1) {
        double early = 0.25 * (1 + head) * place;
        whole = whole &&
                (early == (double)(uint32_t)early || !bl_delay_uses(delay, QUARTER_HEAD + head));
    }
    return whole;
}

/* Whether the heads rest, at whole frames. */
BL_INLINE bool bl_delay_stands(const bl_delay_unit *delay) BL_NONBLOCKING {
    return !bl_delay_glides(delay) && !bl_delay_wobbles(delay) &&
           bl_delay_is_whole(delay, delay->head.value) &&
           (delay->fade.left == 0 || bl_delay_is_whole(delay, delay->next));
}

/* The longest stretch, up to `frames`, in which no head reads frames that the stretch writes, no
   fade starts or ends, and either all positions move or none. */
BL_INLINE uint32_t bl_delay_stretch(const bl_delay_unit *delay, uint32_t frames) BL_NONBLOCKING {
    double shortest = delay->head.value;
    if (delay->fade.left > 0) {
        frames = bl_crossfade_before_end(&delay->fade, frames);
        shortest = shortest < delay->next ? shortest : delay->next;
    } else if (delay->frames_until_steady > 0) {
        frames = bl_fewer(frames, delay->frames_until_steady);
    }
    double first = bl_delay_first_head(delay);
    if (bl_delay_stands(delay)) {
        return bl_fewer(frames, (uint32_t)(first * shortest));
    }
    if (bl_delay_wobbles(delay)) {
        shortest -= delay->wobble_depth.value + BL_DELAY_STRETCH * BL_DELAY_WOBBLE_FASTEST;
    }
    shortest -= bl_delay_glides(delay) ? BL_DELAY_STRETCH * BL_DELAY_FASTEST : 0;
    return bl_moddelay_readable(first * shortest, frames);
}

/* Fills in the positions of `frames` frames, and advances head and wobble. */
BL_INLINE void bl_delay_move(bl_delay_unit *delay, bl_delay_places *places,
                             uint32_t frames) BL_NONBLOCKING {
    bool glides = bl_delay_glides(delay), wobbles = bl_delay_wobbles(delay);
    double rate = 1 / (BL_DELAY_GLIDE_TIME * delay->base.sample_rate);
    places->move = !bl_delay_stands(delay);
    delay->head.speed = glides ? delay->head.speed : 0;
    for (uint32_t frame = 0; places->move && frame < frames; frame += 1) {
        places->present[frame] = glides ? bl_glide_step(&delay->head, bl_delay_place(delay, frame),
                                                        rate, BL_DELAY_FASTEST)
                                        : delay->head.value;
        places->next[frame] = delay->next;
    }
    bl_ramp *parameters = delay->base.parameters;
    uint32_t phases[BL_DELAY_STRETCH];
    bl_phase_fill(&delay->wobble, &parameters[WOBBLE_RATE], bl_phase_scale(delay->base.sample_rate),
                  phases, frames);
    for (uint32_t frame = 0; wobbles && frame < frames; frame += 1) {
        double depth = bl_glide_step(&delay->wobble_depth, bl_delay_wobble_depth(delay, frame),
                                     2 * rate, BL_DELAY_WOBBLE_FASTEST);
        double off = depth * bl_lfo_sine(phases[frame]);
        places->present[frame] += off;
        places->next[frame] += off;
    }
    for (uint32_t frame = 0; wobbles && frame < frames; frame += 1) {
        double present = places->present[frame], next = places->next[frame];
        places->present[frame] = present > BL_MODDELAY_SHORTEST ? present : BL_MODDELAY_SHORTEST;
        places->next[frame] = next > BL_MODDELAY_SHORTEST ? next : BL_MODDELAY_SHORTEST;
    }
}
