/* The oscillators of eight voices, frame by frame. */
#pragma once

#include "poly/poly.h"
#include "poly/poly_sync.h"

/* The controls of the voices at a frame. */
typedef struct bl_poly_controls {
    bl_lanes turns[BL_POLY_OSCILLATORS]; /* the oscillators' turns per tick */
    bl_lanes width[BL_POLY_OSCILLATORS]; /* share of a turn */
    bl_lanes cutoff;                     /* part of the higher rate */
    bl_lanes levels[2];                  /* left, right */
} bl_poly_controls;

/* The ticks of a frame, at the higher rate, eight voices each. */
typedef struct bl_poly_ticks {
    bl_lanes of[BL_POLY_FACTOR];
} bl_poly_ticks;

/* The lowest frequency, turns per tick, so that nothing is divided by 0. */
#define BL_POLY_SLOWEST 1e-9f

/* The noise's gain. White noise has an eighth of its power below the lower rate's end: this
   compensates, and makes it as loud as a saw. */
#define BL_POLY_NOISE_GAIN (0x1p-31f * 2.82842712f)

/* Adds a free oscillator's waveforms. `turns` per tick, and its reciprocal's size. */
BL_INLINE void bl_poly_add_free(const float *shape, const bl_lanes *width,
                                const bl_lanes_uint *phases, const bl_lanes *turns,
                                const bl_lanes *ticks, bl_poly_ticks *sum) BL_NONBLOCKING {
    bl_lanes value;
    if (shape[BL_POLY_SINE] > 0) {
        for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            bl_lanes_sine(&phases[tick], &value);
            sum->of[tick] = sum->of[tick] + shape[BL_POLY_SINE] * value;
        }
    }
    if (shape[BL_POLY_TRIANGLE] > 0) {
        for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            bl_wave_triangle(&phases[tick], &ticks[tick], &turns[tick], &value);
            sum->of[tick] = sum->of[tick] + shape[BL_POLY_TRIANGLE] * value;
        }
    }
    if (shape[BL_POLY_SAW] > 0) {
        for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            bl_wave_saw(&phases[tick], &ticks[tick], &value);
            sum->of[tick] = sum->of[tick] + shape[BL_POLY_SAW] * value;
        }
    }
    if (shape[BL_POLY_PULSE] > 0) {
        bl_lanes_int share = __builtin_convertvector(*width * 0x1p30f, bl_lanes_int);
        bl_lanes_uint high = (bl_lanes_uint)share << 2;
        for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            bl_wave_pulse(&phases[tick], &ticks[tick], &high, &value);
            sum->of[tick] = sum->of[tick] + shape[BL_POLY_PULSE] * value;
        }
    }
}

/* Adds the waveforms of the second oscillator, reset by the first. */
BL_INLINE void bl_poly_add_synced(const float *shape, float weight, const bl_lanes *width,
                                  const bl_lanes_uint *phases, const bl_lanes *ticks,
                                  const bl_lanes *ratio, bl_poly_ticks *sum) BL_NONBLOCKING {
    for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
        bl_sync sync = {.ticks = ticks[tick], .ratio = *ratio};
        bl_lanes turns, value;
        bl_wave_turns(&phases[tick], &turns);
        sync.since = turns * sync.ticks;
        sync.turns = turns < 0.0f ? turns + 1.0f : turns;
        bl_lanes all = 0.0f;
        if (shape[BL_POLY_SINE] > 0) {
            bl_sync_sine(&sync, &value);
            all = all + shape[BL_POLY_SINE] * value;
        }
        if (shape[BL_POLY_TRIANGLE] > 0) {
            bl_sync_triangle(&sync, &value);
            all = all + shape[BL_POLY_TRIANGLE] * value;
        }
        if (shape[BL_POLY_SAW] > 0) {
            bl_lanes zero = 0.0f;
            bl_sync_saw(&sync, &zero, &value);
            all = all + shape[BL_POLY_SAW] * value;
        }
        if (shape[BL_POLY_PULSE] > 0) {
            bl_sync_pulse(&sync, width, &value);
            all = all + shape[BL_POLY_PULSE] * value;
        }
        sum->of[tick] = sum->of[tick] + weight * all;
    }
}

/* Converts turns, less than half, to 2^32 times `turns`. */
BL_INLINE void bl_poly_phase_step(const bl_lanes *turns, bl_lanes_uint *step) BL_NONBLOCKING {
    *step = (bl_lanes_uint) __builtin_convertvector(*turns * 0x1p32f, bl_lanes_int);
}

/* Writes the phases of a frame's ticks, and their speeds; advances. */
BL_INLINE void bl_poly_run(bl_lanes_uint *phase, const bl_lanes *turns, bl_lanes_uint *phases,
                           bl_lanes *speeds, bl_lanes *ticks) BL_NONBLOCKING {
    bl_lanes_uint step, now = *phase;
    bl_poly_phase_step(turns, &step);
    bl_lanes reciprocal = 1.0f / *turns;
    for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
        phases[tick] = now;
        speeds[tick] = *turns;
        ticks[tick] = reciprocal;
        now = now + step;
    }
    *phase = now;
}

/* Writes the phases at a frequency that another oscillator modulates by up to `deviation` turns per
   tick, also through zero; advances. */
BL_INLINE void bl_poly_run_modulated(bl_lanes_uint *phase, const bl_lanes *turns,
                                     const bl_poly_ticks *modulator, const bl_lanes *deviation,
                                     bl_lanes_uint *phases, bl_lanes *speeds,
                                     bl_lanes *ticks) BL_NONBLOCKING {
    bl_lanes_uint step, now = *phase;
    for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
        bl_lanes speed = *turns + *deviation * modulator->of[tick];
        speed = speed < 0.49f ? speed : 0.49f;
        speed = speed > -0.49f ? speed : -0.49f;
        bl_poly_phase_step(&speed, &step);
        phases[tick] = now;
        bl_wave_size(&speed, &speeds[tick]);
        speeds[tick] = speeds[tick] > BL_POLY_SLOWEST ? speeds[tick] : BL_POLY_SLOWEST;
        ticks[tick] = 1.0f / speeds[tick];
        now = now + step;
    }
    *phase = now;
}

/* Adds one copy of both oscillators. `ratio`: its frequency over the voice's. */
BL_INLINE void bl_poly_add_copy(bl_poly_group *group, const bl_poly_frame *frame,
                                const bl_poly_controls *controls, uint32_t copy, float ratio,
                                bl_poly_ticks *sum) BL_NONBLOCKING {
    bl_lanes_uint first_phases[BL_POLY_FACTOR], phases[BL_POLY_FACTOR];
    bl_lanes speeds[BL_POLY_FACTOR], first_ticks[BL_POLY_FACTOR], ticks[BL_POLY_FACTOR];
    bl_lanes first_turns = controls->turns[0] * ratio, turns = controls->turns[1] * ratio;
    bool is_heard = frame->level[1] > 0;
    bl_poly_run(&group->phases[0][copy], &first_turns, first_phases, speeds, first_ticks);
    bl_poly_ticks first = {0};
    if (frame->level[0] > 0 || (is_heard && frame->fm > 0)) {
        bl_poly_add_free(frame->shape[0], &controls->width[0], first_phases, speeds, first_ticks,
                         &first);
    }
    bl_poly_ticks second = {0};
    if (is_heard && frame->synced < 1) {
        if (frame->fm > 0) {
            bl_lanes deviation = frame->fm * first_turns;
            bl_poly_run_modulated(&group->phases[1][copy], &turns, &first, &deviation, phases,
                                  speeds, ticks);
        } else {
            bl_poly_run(&group->phases[1][copy], &turns, phases, speeds, ticks);
        }
        bl_poly_add_free(frame->shape[1], &controls->width[1], phases, speeds, ticks, &second);
        for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            second.of[tick] = (1.0f - frame->synced) * second.of[tick];
        }
    }
    if (is_heard && frame->synced > 0) {
        bl_lanes faster = turns / first_turns;
        bl_poly_add_synced(frame->shape[1], frame->synced, &controls->width[1], first_phases,
                           first_ticks, &faster, &second);
    }
    for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
        sum->of[tick] = frame->level[0] * first.of[tick] + frame->level[1] * second.of[tick];
    }
}

/* Adds the sub-oscillator, a square an octave below the first oscillator, and noise. */
BL_INLINE void bl_poly_add_rest(bl_poly_group *group, const bl_poly_frame *frame,
                                const bl_poly_controls *controls,
                                bl_poly_ticks *sum) BL_NONBLOCKING {
    if (frame->sub > 0) {
        bl_lanes_uint phases[BL_POLY_FACTOR], half = 0x80000000u;
        bl_lanes speeds[BL_POLY_FACTOR], ticks[BL_POLY_FACTOR], value;
        bl_lanes turns = 0.5f * controls->turns[0];
        bl_poly_run(&group->sub, &turns, phases, speeds, ticks);
        for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            bl_wave_pulse(&phases[tick], &ticks[tick], &half, &value);
            sum->of[tick] = sum->of[tick] + frame->sub * value;
        }
    }
    if (frame->noise > 0) {
        bl_lanes_uint bits = group->noise;
        for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            /* Xorshift: George Marsaglia, "Xorshift RNGs", 2003. */
            bits ^= bits << 13;
            bits ^= bits >> 17;
            bits ^= bits << 5;
            bl_lanes value = __builtin_convertvector((bl_lanes_int)bits, bl_lanes);
            sum->of[tick] = sum->of[tick] + (frame->noise * BL_POLY_NOISE_GAIN) * value;
        }
        group->noise = bits;
    }
}
