/* Waveforms of eight oscillators that others reset: hard sync.
 *
 * The phase of such an oscillator is `ratio` times the turns of the other since its last reset, so
 * the times of all steps of the waveform, including the reset's, are known in advance, and
 * poly_wave.h's kernel replaces them.
 */
#pragma once

#include "poly/poly_wave.h"

/* The resetting oscillator at a tick, and the frequency ratio of the other. */
typedef struct bl_sync {
    bl_lanes turns; /* turns since the reset, 0 to 1 */
    bl_lanes since; /* ticks since the nearest reset; before it, below 0 */
    bl_lanes ticks; /* ticks per turn */
    bl_lanes ratio;
} bl_sync;

/* Rounds down; x from 0 to 2^22. */
BL_INLINE void bl_sync_floor(const bl_lanes *x, bl_lanes *whole) BL_NONBLOCKING {
    *whole = __builtin_convertvector(__builtin_convertvector(*x, bl_lanes_int), bl_lanes);
}

/* The kernel's correction of a step from -1 to 1, `distance` ticks after it. */
BL_INLINE void bl_sync_residue(const bl_lanes *distance, bl_lanes *residue) BL_NONBLOCKING {
    bl_lanes step;
    bl_wave_step(distance, &step);
    *residue = step - (*distance >= 0.0f ? (bl_lanes)1.0f : (bl_lanes)-1.0f);
}

/* A saw like bl_wave_saw, which starts each time at a phase of `offset`, 0 to 1. */
BL_INLINE void bl_sync_saw(const bl_sync *sync, const bl_lanes *offset,
                           bl_lanes *saw) BL_NONBLOCKING {
    bl_lanes phase = sync->turns * sync->ratio + *offset;
    bl_lanes end = sync->ratio + *offset;
    bl_lanes whole, last, nearest, residue;
    bl_sync_floor(&phase, &whole);
    bl_sync_floor(&end, &last);
    bl_lanes sum = 2.0f * (phase - whole) - 1.0f;
    /* The nearest fall between two resets. */
    bl_lanes rounded = phase + 0.5f;
    bl_sync_floor(&rounded, &nearest);
    nearest = nearest > 1.0f ? nearest : 1.0f;
    nearest = nearest < last ? nearest : last;
    bl_lanes own_ticks = sync->ticks / sync->ratio;
    bl_lanes distance = (phase - nearest) * own_ticks;
    bl_sync_residue(&distance, &residue);
    bl_lanes falls = last >= 1.0f ? (bl_lanes)1.0f : (bl_lanes)0.0f;
    sum = sum - falls * residue;
    /* The last fall before the reset, and the first after it, from the other side. */
    distance = (phase + sync->ratio - last) * own_ticks;
    bl_sync_residue(&distance, &residue);
    sum = sum - falls * residue;
    distance = (phase - sync->ratio - 1.0f) * own_ticks;
    bl_sync_residue(&distance, &residue);
    sum = sum - falls * residue;
    /* The step of the reset. */
    bl_sync_residue(&sync->since, &residue);
    *saw = sum + (*offset - (end - last)) * residue;
}

/* A pulse like bl_wave_pulse; `width` in turns. */
BL_INLINE void bl_sync_pulse(const bl_sync *sync, const bl_lanes *width,
                             bl_lanes *pulse) BL_NONBLOCKING {
    bl_lanes zero = 0.0f, behind = 1.0f - *width, first, second;
    bl_sync_saw(sync, &zero, &first);
    bl_sync_saw(sync, &behind, &second);
    *pulse = second - first;
}

/* Adds the kernel's correction of a reset: `rise` of the value, and `slope` per tick. */
BL_INLINE void bl_sync_reset(const bl_sync *sync, const bl_lanes *rise, const bl_lanes *slope,
                             bl_lanes *value) BL_NONBLOCKING {
    bl_lanes residue, size, corner;
    bl_sync_residue(&sync->since, &residue);
    bl_wave_size(&sync->since, &size);
    bl_wave_corner(&size, &corner);
    *value = *value + 0.5f * (*rise * residue + *slope * (corner - size));
}

/* The phase between resets, and the phase at their end, 2^32 for a turn. */
BL_INLINE void bl_sync_phases(const bl_sync *sync, bl_lanes_uint *phase,
                              bl_lanes_uint *end) BL_NONBLOCKING {
    bl_lanes now = sync->turns * sync->ratio, whole;
    bl_sync_floor(&now, &whole);
    *phase = (bl_lanes_uint) __builtin_convertvector((now - whole) * 0x1p24f, bl_lanes_int) << 8;
    bl_sync_floor(&sync->ratio, &whole);
    whole = sync->ratio - whole;
    *end = (bl_lanes_uint) __builtin_convertvector(whole * 0x1p24f, bl_lanes_int) << 8;
}

BL_INLINE void bl_sync_sine(const bl_sync *sync, bl_lanes *sine) BL_NONBLOCKING {
    bl_lanes_uint phase, end;
    bl_sync_phases(sync, &phase, &end);
    bl_lanes_uint end_quarter = end + 0x40000000u;
    bl_lanes last, slope;
    bl_lanes_sine(&phase, sine);
    bl_lanes_sine(&end, &last);
    bl_lanes_sine(&end_quarter, &slope);
    bl_lanes rise = -last;
    slope = 6.28318531f * (1.0f - slope) * sync->ratio / sync->ticks;
    bl_sync_reset(sync, &rise, &slope, sine);
}

/* A triangle like bl_wave_triangle. */
BL_INLINE void bl_sync_triangle(const bl_sync *sync, bl_lanes *triangle) BL_NONBLOCKING {
    bl_lanes_uint phase, end;
    bl_sync_phases(sync, &phase, &end);
    bl_lanes own_ticks = sync->ticks / sync->ratio, turn = sync->ratio / sync->ticks;
    bl_wave_triangle(&phase, &own_ticks, &turn, triangle);
    bl_lanes_uint from_crest = end - 0x40000000u;
    bl_lanes turns, size;
    bl_wave_turns(&from_crest, &turns);
    bl_wave_size(&turns, &size);
    bl_lanes rise = 4.0f * size - 1.0f;
    bl_lanes slope = turns < 0.0f ? (bl_lanes)0.0f : 8.0f * turn;
    bl_sync_reset(sync, &rise, &slope, triangle);
}
