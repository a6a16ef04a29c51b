/* Base of effects that recompute their coefficients at the lines of a grid while parameters move,
   and process two channels at a time. The grid is counted from the reset, so that coefficients are
   the same for any cycle lengths. */
#pragma once

#include "base/effect.h"
#include "dsp/decibels.h"
#include "dsp/pair.h"

/* The most frames at a time. */
#define BL_GRID_STRETCH 64

enum { BL_CHANNEL_PAIRS = (BL_MAXIMUM_CHANNELS + 1) / 2 };

/* The first member of such a unit. */
typedef struct bl_grid_unit {
    bl_unit_base base; /* stale: coefficients move, or must be computed at the next line */
    uint32_t passed;   /* frames since the last line of the grid; 0 after a reset */
} bl_grid_unit;

/* Computes the coefficients for the next line, and sets `stale` if it must be called again. */
typedef void (*bl_grid_aim)(bl_grid_unit *unit) BL_NONBLOCKING;
/* Processes frames of channels 2 × `pair` and the next, in place. */
typedef void (*bl_grid_run)(bl_grid_unit *unit, uint32_t pair, bl_double2 *samples,
                            uint32_t frames) BL_NONBLOCKING;

/* A `process` on a grid of `length` frames; `output_gain`, in dB, is applied last; or NULL.
   [render] */
BL_INLINE void bl_grid_process(bl_unit *self, uint32_t length, const bl_ramp *output_gain,
                               bl_grid_aim aim, bl_grid_run run, const bl_io *io,
                               uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    bl_grid_unit *unit = (bl_grid_unit *)self;
    bl_unit_base *base = &unit->base;
    uint32_t channels = base->output_channel_count;
    bl_double2 samples[BL_GRID_STRETCH];
    float gains[BL_GRID_STRETCH];
    for (uint32_t end = first_frame + frames; first_frame < end;) {
        if (base->stale && unit->passed == 0) {
            aim(unit);
        }
        uint32_t count =
            bl_fewer(end - first_frame, base->stale ? length - unit->passed : BL_GRID_STRETCH);
        if (output_gain != NULL) {
            bl_decibels_fill(output_gain, gains, count);
        }
        for (uint32_t channel = 0; channel < channels; channel += 2) {
            bl_pair_read(io->input, channels, channel, first_frame, samples, count);
            run(unit, channel / 2, samples, count);
            if (output_gain != NULL) {
                bl_pair_multiply(samples, gains, count);
            }
            bl_pair_write(io->output, channels, channel, first_frame, samples, count);
        }
        for (uint32_t index = 0; index < base->descriptor->parameter_count; index += 1) {
            bl_ramp_advance(&base->parameters[index], count);
        }
        unit->passed = (unit->passed + count) % length;
        first_frame += count;
    }
}
