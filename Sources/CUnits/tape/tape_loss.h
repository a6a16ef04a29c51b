/* The losses between tape and playback head, as a filter of linear phase.
 *
 * A wave of k = 2πf/v radians a metre on tape at the speed v is read through the distance d of the
 * head, across the thickness δ of the layer and over the gap g as (Bertram, "Theory of magnetic
 * recording", 1994, as in Chowdhury 2019)
 *
 * exp(-kd) · (1 - exp(-kδ)) / (kδ) · sin(kg/2) / (kg/2).
 *
 * The taps are its inverse Fourier transform. A new set is computed tap by tap over a grid of
 * frames counted from the reset, and fades in over the next.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "dsp/chunk.h"
#include "dsp/exp2.h"
#include "dsp/sine.h"

/* Taps before and after the middle one, at 48 kHz and below; at higher rates in proportion. */
enum { BL_TAPE_REACH = 96, BL_TAPE_LONGEST_REACH = 4 * BL_TAPE_REACH };

/* The dimensions of a setting: m/s and m. */
typedef struct bl_tape_head {
    float speed, distance, thickness, gap;
} bl_tape_head;

/* The filter that all channels share. */
typedef struct bl_tape_loss {
    uint32_t reach;              /* taps on either side */
    uint32_t grid;               /* frames between lines, a power of two */
    uint32_t passed;             /* frames since the last line */
    uint32_t designed;           /* computed taps of `next` */
    bool fades;                  /* fades from `before` to `taps` until the next line */
    bool designs;                /* computes `next` for the next line */
    float bins;                  /* Hz per bin */
    bl_tape_head head;           /* head of the last design */
    float *response;             /* 2 × reach + 1 bins of the response */
    float *cosines;              /* 4 × reach values of a turn */
    float *taps, *before, *next; /* reach + 1 taps, from the middle on */
} bl_tape_loss;

/* The reach, a multiple of eight. [any] */
BL_INLINE uint32_t bl_tape_loss_reach(double sample_rate) BL_NONBLOCKING {
    uint32_t eighths = (uint32_t)(BL_TAPE_REACH / 8 * sample_rate / 48000 + 0.5);
    uint32_t reach = bl_fewer(8 * eighths, BL_TAPE_LONGEST_REACH);
    return reach > BL_TAPE_REACH ? reach : BL_TAPE_REACH;
}

/* The rows of reach + 1 floats that the arrays need. */
enum { BL_TAPE_LOSS_ROWS = 9 };

/* The loss at `frequency` Hz. [render] */
BL_INLINE float bl_tape_loss_at(const bl_tape_head *head, float frequency) BL_NONBLOCKING {
    float turns = frequency / head->speed; /* per metre */
    float octaves = turns * 9.06472028f;   /* 2π / ln 2 */
    float layer = octaves * head->thickness, gap = 0.5f * turns * head->gap;
    /* The series near 0, where the quotients cancel. */
    float through =
        layer < 0.01f ? 1 - 0.34657359f * layer : (1 - bl_exp2(-layer)) / (0.69314718f * layer);
    float over = gap < 0.001f ? 1 : bl_sine_of_turns(gap) / (6.28318531f * gap);
    return bl_exp2(-octaves * head->distance) * through * over;
}

/* Starts the next set. [render] */
BL_INLINE void bl_tape_loss_begin(bl_tape_loss *loss, const bl_tape_head *head) BL_NONBLOCKING {
    loss->head = *head;
    for (uint32_t bin = 0; bin <= 2 * loss->reach; bin += 1) {
        loss->response[bin] = bl_tape_loss_at(head, (float)(int32_t)bin * loss->bins);
    }
    loss->response[0] *= 0.5f;
    loss->response[2 * loss->reach] *= 0.5f;
    loss->designed = 0;
}

/* Computes taps of the next set up to `end`. [render] */
BL_INLINE void bl_tape_loss_design(bl_tape_loss *loss, uint32_t end) BL_NONBLOCKING {
    uint32_t turn = 4 * loss->reach, last = bl_fewer(end, loss->reach + 1);
    for (; loss->designed < last; loss->designed += 1) {
        float sum = 0;
        uint32_t place = 0;
        for (uint32_t bin = 0; bin <= 2 * loss->reach; bin += 1) {
            sum += loss->response[bin] * loss->cosines[place];
            place += loss->designed;
            place -= place >= turn ? turn : 0;
        }
        loss->next[loss->designed] = sum / (float)(int32_t)(2 * loss->reach);
    }
}

/* Switches to the next set. [render] */
BL_INLINE void bl_tape_loss_swap(bl_tape_loss *loss) BL_NONBLOCKING {
    float *oldest = loss->before;
    loss->before = loss->taps;
    loss->taps = loss->next;
    loss->next = oldest;
}

/* At a line of the grid: switches to a finished set, and starts the next if the head has changed.
   [render] */
BL_INLINE void bl_tape_loss_line(bl_tape_loss *loss, const bl_tape_head *head) BL_NONBLOCKING {
    loss->fades = loss->designs;
    if (loss->designs) {
        bl_tape_loss_swap(loss);
    }
    loss->designs = head->speed != loss->head.speed || head->distance != loss->head.distance ||
                    head->thickness != loss->head.thickness || head->gap != loss->head.gap;
    if (loss->designs) {
        bl_tape_loss_begin(loss, head);
    }
}

/* Σ taps[i] · (samples[i] + samples[-i]). */
BL_INLINE float bl_tape_loss_sum(const float *taps, uint32_t reach,
                                 const float *samples) BL_NONBLOCKING {
    float sums[8] = {0};
    for (uint32_t tap = 0; tap < reach; tap += 8) {
        for (uint32_t lane = 0; lane < 8; lane += 1) {
            int32_t index = (int32_t)(tap + lane + 1);
            sums[lane] += taps[index] * (samples[index] + samples[-index]);
        }
    }
    return taps[0] * samples[0] + (((sums[0] + sums[4]) + (sums[2] + sums[6])) +
                                   ((sums[1] + sums[5]) + (sums[3] + sums[7])));
}
