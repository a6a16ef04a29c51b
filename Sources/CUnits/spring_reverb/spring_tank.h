/* Up to three springs: Vesa Välimäki, Julian Parker and Jonathan Abel, "Parametric spring
 * reverberation effect", J. Audio Eng. Soc. 58, 2010; the part below the transition frequency.
 *
 * On a spring high frequencies travel more slowly, up to a frequency fc that only crawls. A cascade
 * of M all-passes (a + D) / (1 + a D) has such a delay, where D delays by rate / (2 fc) frames: by
 * whole frames and an all-pass of first order for the rest. At the end of the spring the sound is
 * reflected: after L frames, there and back, it returns with the opposite sign and a little
 * quieter, and passes the cascade again, so that each echo is a longer chirp. It is heard at the
 * far end, so first after half that path, as a real tank's 33 to 41 ms (Accutronics, "Spring reverb
 * tanks explained and compared": the delay times of two and three springs).
 *
 * A frequency's round trip takes L + M τ(ω) frames with
 *
 * τ(ω) = D (1 - a²) / (1 + 2 a cos(Dω) + a²),
 *
 * longer for the highs. A filter of first order in the loop is tuned so that the decay is as long
 * at 0.77 fc as in the bass. The input is scaled by √(1 - g²), so that the sum of all echoes is as
 * loud for any decay. Each lane is a spring.
 */
#pragma once

#include <math.h>
#include <string.h>

#include "dsp/chunk.h"
#include "dsp/exp2.h"
#include "dsp/log2.h"
#include "dsp/sine.h"

enum { BL_SPRINGS = 3, BL_SPRING_STAGES = 100 };

/* The lowest fc, Hz, and the longest round trip of all springs, s. */
#define BL_SPRING_LOWEST 2000.0
#define BL_SPRING_LONGEST 0.125

/* The springs' lengths, relative to the first: as 33, 41 and 37 ms. */
static const float bl_spring_lengths[BL_SPRINGS] = {1, 1.24f, 1.12f};

typedef float bl_float4 __attribute__((vector_size(16)));

/* The construction of the springs. */
typedef struct bl_spring_make {
    float chirp;      /* fc, Hz */
    float dispersion; /* a */
    float way;        /* round trip of the first spring, s */
} bl_spring_make;

typedef struct bl_spring_tank {
    uint32_t stage_mask; /* frames of a stage's ring, a power of two, less 1 */
    uint32_t way_mask;   /* mask of the loop's ring */
    uint32_t now;        /* frames since it was cleared */
    uint32_t whole;      /* whole frames of D */
    float rest;          /* coefficient of its all-pass for the rest */
    float dispersion;
    uint32_t ways[BL_SPRINGS];                  /* L, the round trips, frames */
    bl_float4 inner[BL_SPRING_STAGES];          /* last frame of D */
    bl_float4 level, gain, pole;                /* input level and loop filter, moving */
    bl_float4 next_level, next_gain, next_pole; /* to these targets */
    bl_float4 damped;                           /* last frame of the filter */
    bl_float4 *stages;                          /* BL_SPRING_STAGES × (stage_mask + 1) */
    bl_float4 *loop;                            /* way_mask + 1 */
} bl_spring_tank;

/* Sets the sizes of the rings; returns the number of vectors of memory. [control] */
BL_INLINE size_t bl_spring_size(bl_spring_tank *tank, double sample_rate) {
    tank->stage_mask = 15;
    while (tank->stage_mask < sample_rate / 2 / BL_SPRING_LOWEST + 1) {
        tank->stage_mask = 2 * tank->stage_mask + 1;
    }
    tank->way_mask = 255;
    while (tank->way_mask < BL_SPRING_LONGEST * sample_rate + BL_CHUNK_FRAMES) {
        tank->way_mask = 2 * tank->way_mask + 1;
    }
    return (size_t)BL_SPRING_STAGES * (tank->stage_mask + 1) + tank->way_mask + 1;
}

/* D in frames; four at least, so fc is an eighth of the sample rate at most. [any] */
BL_INLINE double bl_spring_delay(const bl_spring_make *make, double sample_rate) BL_NONBLOCKING {
    double delay = sample_rate / 2 / (double)make->chirp;
    return delay > 4 ? delay : 4;
}

/* Clears the tank for springs of another construction. [render or idle] */
BL_INLINE void bl_spring_make_up(bl_spring_tank *tank, const bl_spring_make *make,
                                 double sample_rate) BL_NONBLOCKING {
    double delay = bl_spring_delay(make, sample_rate);
    tank->whole = (uint32_t)(delay - 0.5);
    double rest = delay - tank->whole;
    tank->rest = (float)((1 - rest) / (1 + rest));
    tank->dispersion = make->dispersion;
    for (uint32_t spring = 0; spring < BL_SPRINGS; spring += 1) {
        tank->ways[spring] = (uint32_t)(make->way * bl_spring_lengths[spring] * (float)sample_rate);
    }
    size_t stages = (size_t)BL_SPRING_STAGES * (tank->stage_mask + 1);
    memset(tank->stages, 0, stages * sizeof(bl_float4));
    memset(tank->inner, 0, sizeof tank->inner);
    tank->damped = (bl_float4){0};
    tank->now = 0;
}

/* Sets the loop filters' targets for a decay by 60 dB within `decay` seconds. [render or idle] */
BL_INLINE void bl_spring_aim(bl_spring_tank *tank, const bl_spring_make *make, float decay,
                             double sample_rate) BL_NONBLOCKING {
    double delay = bl_spring_delay(make, sample_rate);
    double a = (double)make->dispersion, turn = 0.385 / delay; /* 0.77 fc, turns per frame */
    double slow = BL_SPRING_STAGES * delay * (1 - a) / (1 + a);
    double cosine = -0.750111069630; /* cos(0.77 π) */
    double slower = BL_SPRING_STAGES * delay * (1 - a * a) / (1 + 2 * a * cosine + a * a);
    for (uint32_t spring = 0; spring < BL_SPRINGS; spring += 1) {
        double octaves = -9.96578428466 / ((double)decay * sample_rate); /* of 60 dB, per frame */
        float gain = bl_exp2((float)(octaves * (tank->ways[spring] + slow)));
        float ratio = bl_exp2((float)(octaves * (slower - slow)));
        /* |(1 - p) / (1 - p z⁻¹)| equals this ratio there. */
        float square = ratio * ratio;
        float half = 1 - square * bl_sine_of_turns((float)turn + 0.25f);
        float loss = 1 - square;
        tank->next_level[spring] = sqrtf(1 - gain * gain);
        tank->next_gain[spring] = gain;
        tank->next_pole[spring] = loss / (half + sqrtf(half * half - loss * loss));
    }
}

/* The decay time of the slowest sounds, those at fc, seconds. [render or idle] */
BL_INLINE double bl_spring_tail(const bl_spring_tank *tank, const bl_spring_make *make,
                                double sample_rate) BL_NONBLOCKING {
    double delay = bl_spring_delay(make, sample_rate), a = (double)make->dispersion;
    double along = BL_SPRING_STAGES * delay * (1 + a) / (1 - a);
    float cosine = bl_sine_of_turns((float)(0.5 / delay) + 0.25f);
    double longest = 0;
    for (uint32_t spring = 0; spring < BL_SPRINGS; spring += 1) {
        float pole = tank->next_pole[spring], kept = tank->next_gain[spring] * (1 - pole);
        double octaves = 0.5 * (double)bl_log2(kept * kept / (1 - 2 * pole * cosine + pole * pole));
        double passes = -9.96578428466 / octaves; /* passes until 60 dB are lost */
        double frames = along + 0.5 * tank->ways[spring] + passes * (along + tank->ways[spring]);
        longest = frames > longest ? frames : longest;
    }
    return longest / sample_rate;
}

/* Moves the filters to their targets at once. [render or idle] */
BL_INLINE void bl_spring_arrive(bl_spring_tank *tank) BL_NONBLOCKING {
    tank->level = tank->next_level;
    tank->gain = tank->next_gain;
    tank->pole = tank->next_pole;
}

/* Frames, up to `frames`, that can be rendered at a time. [render] */
BL_INLINE uint32_t bl_spring_frames(const bl_spring_tank *tank, uint32_t frames) BL_NONBLOCKING {
    return bl_fewer(frames, tank->whole);
}

/* Applies the cascade, in place. */
BL_INLINE void bl_spring_disperse(bl_spring_tank *tank, bl_float4 *samples,
                                  uint32_t frames) BL_NONBLOCKING {
    uint32_t mask = tank->stage_mask, now = tank->now;
    float a = tank->dispersion;
    for (uint32_t stage = 0; stage < BL_SPRING_STAGES; stage += 1) {
        bl_float4 *ring = tank->stages + (size_t)stage * (mask + 1);
        bl_float4 inner = tank->inner[stage];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            uint32_t place = now + frame - tank->whole;
            inner = ring[(place - 1) & mask] + tank->rest * (ring[place & mask] - inner);
            bl_float4 into = samples[frame] - a * inner;
            ring[(now + frame) & mask] = into;
            samples[frame] = a * into + inner;
        }
        tank->inner[stage] = inner;
    }
}

/* The loop's sound `way` frames ago. */
BL_INLINE float bl_spring_past(const bl_spring_tank *tank, uint32_t now, uint32_t way,
                               uint32_t spring) BL_NONBLOCKING {
    return now >= way ? tank->loop[(now - way) & tank->way_mask][spring] : 0;
}

/* Computes the springs' ends for `frames` frames of `input`, at most bl_spring_frames's; `pace`:
   the part of their way that the filters move per frame. [render] */
BL_INLINE void bl_spring_run(bl_spring_tank *tank, float pace, const float *input,
                             bl_float4 *samples, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        uint32_t now = tank->now + frame;
        bl_float4 back = {0};
        for (uint32_t spring = 0; spring < BL_SPRINGS; spring += 1) {
            back[spring] = bl_spring_past(tank, now, tank->ways[spring], spring);
        }
        tank->level += pace * (tank->next_level - tank->level);
        tank->gain += pace * (tank->next_gain - tank->gain);
        tank->pole += pace * (tank->next_pole - tank->pole);
        tank->damped = (1.0f - tank->pole) * (tank->gain * back) + tank->pole * tank->damped;
        samples[frame] = input[frame] * tank->level - tank->damped;
    }
    bl_spring_disperse(tank, samples, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        uint32_t now = tank->now + frame;
        tank->loop[now & tank->way_mask] = samples[frame];
        for (uint32_t spring = 0; spring < BL_SPRINGS; spring += 1) {
            samples[frame][spring] = bl_spring_past(tank, now, tank->ways[spring] / 2, spring);
        }
    }
    tank->now += frames;
}
