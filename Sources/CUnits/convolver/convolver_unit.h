/* Base of the convolver and the cabinet: slots for responses and filters of the wet sound. */
#pragma once

#include "base/effect.h"
#include "convolver/convolver_slot.h"
#include "dsp/wet_cut.h"

enum { BL_CONVOLVER_SLOTS = 2 };

/* The first member of such a unit. */
typedef struct bl_convolver_unit {
    bl_unit_base base;
    bl_convolver_slot slots[BL_CONVOLVER_SLOTS];
    uint32_t slot_count;
    bl_wet_cut cut;
} bl_convolver_unit;

/* A few frames of each channel. */
typedef float bl_convolver_block[BL_PARTITION_CHANNELS][BL_PARTITION_TICK];

/* The `create` of such a unit's kit; `align` is passed to the slots. [control] */
void bl_convolver_create(bl_unit *unit, uint32_t slot_count, bool align);
/* The `destroy`, `prepare` and `finish` of a convolver's kit. [control] */
void bl_convolver_destroy(bl_unit *unit);
bl_status bl_convolver_prepare(bl_unit *unit);
void bl_convolver_finish(bl_unit *unit);
/* [render or idle] */
void bl_convolver_reset(bl_unit *unit, const bl_response_trim *trim) BL_NONBLOCKING;

/* Frames, up to `frames`, in which no slot passes a tick and no ramp ends. [render] */
BL_INLINE uint32_t bl_convolver_frames(const bl_convolver_unit *unit,
                                       uint32_t frames) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < unit->slot_count; slot += 1) {
        frames = bl_convolver_slot_frames(&unit->slots[slot], frames);
    }
    return bl_frames_before_ends(unit->base.parameters, unit->base.descriptor->parameter_count,
                                 frames);
}

/* Copies the input, as the output may be in the same memory. [render] */
BL_INLINE void bl_convolver_copy_input(const bl_convolver_unit *unit, float *const *input,
                                       uint32_t first, uint32_t frames,
                                       bl_convolver_block dry) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < unit->base.input_channel_count; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            dry[channel][frame] = input[channel][first + frame];
        }
    }
}

/* Convolves in one slot. [render] */
BL_INLINE void bl_convolver_convolve(bl_convolver_unit *unit, uint32_t slot,
                                     const bl_response_trim *trim, const bl_convolver_block input,
                                     bl_convolver_block wet, uint32_t frames) BL_NONBLOCKING {
    bl_convolver_slot_process(&unit->slots[slot], trim, (const float *const[]){input[0], input[1]},
                              (float *const[]){wet[0], wet[1]}, frames);
}

/* Filters the wet sound in place by the parameters at these two indices. [render] */
BL_INLINE void bl_convolver_cut(bl_convolver_unit *unit, uint32_t low_cut, uint32_t high_cut,
                                bl_convolver_block wet, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *values = unit->base.parameters;
    bl_wet_cut_process(&unit->cut, &values[low_cut], &values[high_cut], unit->base.sample_rate,
                       wet[0], wet[unit->base.output_channel_count - 1], frames);
}

/* Advances by `frames` frames. [render] */
BL_INLINE void bl_convolver_advance(bl_convolver_unit *unit, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < unit->base.descriptor->parameter_count; index += 1) {
        bl_ramp_advance(&unit->base.parameters[index], frames);
    }
}

/* The length of the longest response, seconds. [render or idle] */
BL_INLINE double bl_convolver_tail(const bl_convolver_unit *unit) BL_NONBLOCKING {
    double longest = 0;
    for (uint32_t slot = 0; slot < unit->slot_count; slot += 1) {
        double tail = bl_convolver_slot_tail(&unit->slots[slot]);
        longest = tail > longest ? tail : longest;
    }
    return longest;
}

/* Shows the response in the slot with that index; nothing if there is none. [render] */
static inline uint32_t bl_convolver_read_telemetry(const bl_unit *unit, uint32_t index,
                                                   float *values) BL_NONBLOCKING {
    const bl_swap_part *heard = &((const bl_convolver_unit *)unit)->slots[index].swap.present;
    return heard->object == NULL ? 0
                                 : bl_convolution_fill_waveform(heard->object, heard->form, values);
}

/* Descriptor members that such units share. */
#define BL_CONVOLVER_DESCRIPTOR                                                                    \
    BL_CHANNEL_CAPABILITIES, BL_FACTORY_PRESETS, BL_PROPERTIES,                                    \
        .telemetry = telemetry, .telemetry_count = sizeof telemetry / sizeof telemetry[0],         \
        .read_telemetry = bl_convolver_read_telemetry
