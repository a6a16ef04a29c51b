/* The decay of the reverb. Each line loses in one pass what it should lose in its own time, so all
   lines decay equally: by 60 dB in `decay` seconds in the middle, in `low` times that below
   `low_frequency`, in `high` times that above `high_frequency`. Two shelves of first order, which
   lose half of their decibels at their frequency, s + ωg^½ over s + ωg^-½ and its mirror, by the
   bilinear transform. */
#pragma once

#include "dsp/lanes.h"
#include "reverb/reverb.h"

/* The decay that the parameters set now. [render] */
BL_INLINE bl_reverb_decay bl_reverb_decay_now(const bl_reverb_unit *reverb) BL_NONBLOCKING {
    const bl_ramp *parameters = reverb->base.parameters;
    return (bl_reverb_decay){
        .decay = bl_ramp_value(&parameters[BL_REVERB_DECAY], 0),
        .low = bl_ramp_value(&parameters[BL_REVERB_LOW_DECAY], 0),
        .low_frequency = bl_ramp_value(&parameters[BL_REVERB_LOW_FREQUENCY], 0),
        .high = bl_ramp_value(&parameters[BL_REVERB_HIGH_DECAY], 0),
        .high_frequency = bl_ramp_value(&parameters[BL_REVERB_HIGH_FREQUENCY], 0),
        .frozen = parameters[BL_REVERB_FREEZE].target >= 0.5f,
    };
}

BL_INLINE bool bl_reverb_decay_equals(const bl_reverb_decay *a,
                                      const bl_reverb_decay *b) BL_NONBLOCKING {
    return a->decay == b->decay && a->low == b->low && a->low_frequency == b->low_frequency &&
           a->high == b->high && a->high_frequency == b->high_frequency && a->frozen == b->frozen;
}

/* tan(π frequency / rate). */
BL_INLINE float bl_reverb_warp(float frequency, double rate) BL_NONBLOCKING {
    float quarter_turns = 2.0f * frequency / (float)rate;
    quarter_turns = quarter_turns < 0.98f ? quarter_turns : 0.98f;
    return bl_sine_of_quarter_turns(quarter_turns) / bl_sine_of_quarter_turns(1.0f - quarter_turns);
}

/* Computes the filters for lines of these lengths. Frozen lines lose nothing: their filters' zeros
   are on their poles. [render] */
BL_INLINE void bl_reverb_absorb(bl_reverb_absorption *absorption, const bl_reverb_decay *decay,
                                const uint32_t *lines, double rate) BL_NONBLOCKING {
    float low = bl_reverb_warp(decay->low_frequency, rate);
    float high = bl_reverb_warp(decay->high_frequency, rate);
    /* Half of -60 dB as a power of two, per frame. */
    float slope = -4.982892142f / (decay->decay * (float)rate);
    for (uint32_t line = 0; line < BL_REVERB_LINES; line += 1) {
        float loss = slope * (float)(int32_t)lines[line];
        float middle = bl_exp2(2 * loss);
        float low_root = bl_exp2(loss * (1 / decay->low - 1));
        float high_root = bl_exp2(loss * (1 / decay->high - 1));
        float low_scale = 1 / (1 + low / low_root);
        float high_scale = 1 / (1 / high_root + high);
        absorption->low_b0[line] = (1 + low * low_root) * low_scale * middle;
        absorption->low_b1[line] = (low * low_root - 1) * low_scale * middle;
        absorption->low_a1[line] = (low / low_root - 1) * low_scale;
        absorption->high_b0[line] = (high_root + high) * high_scale;
        absorption->high_b1[line] = (high - high_root) * high_scale;
        absorption->high_a1[line] = (high - 1 / high_root) * high_scale;
        if (decay->frozen) {
            absorption->low_b0[line] = absorption->high_b0[line] = 1;
            absorption->low_b1[line] = absorption->low_a1[line];
            absorption->high_b1[line] = absorption->high_a1[line];
        }
    }
}

/* Sets the next target, a grid's step away, at a frame of the grid, where the last one is reached.
   [render] */
BL_INLINE void bl_reverb_aim(bl_reverb_unit *reverb) BL_NONBLOCKING {
    reverb->absorption = reverb->aim;
    bl_reverb_decay now = bl_reverb_decay_now(reverb);
    reverb->absorption_moves = reverb->lines_moved || !bl_reverb_decay_equals(&now, &reverb->decay);
    reverb->grid_left = BL_REVERB_GRID;
    if (!reverb->absorption_moves) {
        return;
    }
    reverb->decay = now;
    reverb->lines_moved = false;
    const uint32_t *lines = reverb->fade.left > 0 ? reverb->next.lines : reverb->geometry.lines;
    bl_reverb_absorb(&reverb->aim, &now, lines, reverb->base.sample_rate);
    const float *from = (const float *)&reverb->absorption;
    const float *to = (const float *)&reverb->aim;
    float *step = (float *)&reverb->step;
    for (uint32_t index = 0; index < BL_REVERB_COEFFICIENTS; index += 1) {
        step[index] = (to[index] - from[index]) * (1.0f / BL_REVERB_GRID);
    }
}

/* The lines' frames, transposed: by frames instead of lines, so that the lines' filters run side by
   side. */
typedef float bl_reverb_turned[BL_REVERB_CHUNK][BL_REVERB_LINES];

/* Transposes eight lines and frames at a time, up to seven frames more than needed. */
BL_INLINE void bl_reverb_turn(bl_hadamard_channel *block, bl_reverb_turned turned, bool back,
                              uint32_t frames) BL_NONBLOCKING {
    for (uint32_t line = 0; line < BL_REVERB_LINES; line += BL_LANES) {
        for (uint32_t frame = 0; frame < frames; frame += BL_LANES) {
            bl_lanes rows[BL_LANES];
            for (uint32_t row = 0; row < BL_LANES; row += 1) {
                rows[row] =
                    BL_LANES_AT(back ? &turned[frame + row][line] : &block[line + row][frame]);
            }
            bl_lanes_transpose(rows);
            for (uint32_t row = 0; row < BL_LANES; row += 1) {
                BL_LANES_AT(back ? &block[line + row][frame] : &turned[frame + row][line]) =
                    rows[row];
            }
        }
    }
}

/* Filters the lines' frames in place. [render] */
BL_INLINE void bl_reverb_decay_lines(bl_reverb_unit *reverb, bl_hadamard_channel *block,
                                     uint32_t frames, bool moves) BL_NONBLOCKING {
    bl_reverb_turned turned;
    bl_reverb_turn(block, turned, false, frames);
    bl_reverb_absorption c = reverb->absorption;
    /* The lines processed at a time, by the number of the processor's registers. */
    enum { SIDE_BY_SIDE = 2 * BL_LANES };
    for (uint32_t first = 0; first < BL_REVERB_LINES; first += SIDE_BY_SIDE) {
        float low[SIDE_BY_SIDE], high[SIDE_BY_SIDE];
        for (uint32_t index = 0; index < SIDE_BY_SIDE; index += 1) {
            low[index] = reverb->low_state[first + index];
            high[index] = reverb->high_state[first + index];
        }
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float *BL_RESTRICT now = turned[frame] + first;
            for (uint32_t index = 0; index < SIDE_BY_SIDE; index += 1) {
                uint32_t line = first + index;
                float input = now[index];
                float middle = c.low_b0[line] * input + low[index];
                low[index] = c.low_b1[line] * input - c.low_a1[line] * middle;
                float output = c.high_b0[line] * middle + high[index];
                high[index] = c.high_b1[line] * middle - c.high_a1[line] * output;
                now[index] = output;
            }
            for (uint32_t row = 0; moves && row < BL_REVERB_COEFFICIENTS; row += BL_REVERB_LINES) {
                float *BL_RESTRICT moved = (float *)&c + row + first;
                const float *BL_RESTRICT step = (const float *)&reverb->step + row + first;
                for (uint32_t index = 0; index < SIDE_BY_SIDE; index += 1) {
                    moved[index] += step[index];
                }
            }
        }
        for (uint32_t index = 0; index < SIDE_BY_SIDE; index += 1) {
            reverb->low_state[first + index] = low[index];
            reverb->high_state[first + index] = high[index];
        }
    }
    if (moves) {
        reverb->absorption = c;
    }
    bl_reverb_turn(block, turned, true, frames);
}
