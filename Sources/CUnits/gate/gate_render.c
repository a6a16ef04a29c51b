/* The gate's sound: a downward expander with hysteresis, its gain smoothed in decibels. */
#include "dsp/gain_computer.h"
#include "gate/gate.h"

/* The longest stretch, up to `frames`, in which no ramp and no fade ends. */
BL_INLINE uint32_t stretch_frames(gate_unit *gate, uint32_t frames) BL_NONBLOCKING {
    frames = bl_frames_before_ends(gate->base.parameters, GATE_PARAMETER_COUNT,
                                   bl_fewer(frames, BL_CHUNK_FRAMES));
    return bl_look_ahead_begin(&gate->ahead, gate_look_ahead((const bl_unit *)gate), frames);
}

/* Fills in the levels of the key's loudest channel, and the envelope's paces. */
BL_INLINE void listen(gate_unit *gate, uint32_t first_frame, bl_envelope_paces *paces,
                      float *loudest, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *ramps = gate->base.parameters;
    bl_key_detector *detector = &gate->detector;
    uint32_t channels = gate->sidechain.count;
    bl_levels levels;
    bl_key_copy(gate->sidechain.keys, levels, channels, first_frame, frames);
    bl_key_cut(detector->low_cuts, true, &ramps[GATE_LOW_CUT], LOW_CUT_OPEN, detector->period,
               levels, channels, frames);
    bl_key_cut(detector->high_cuts, false, &ramps[GATE_HIGH_CUT], HIGH_CUT_OPEN, detector->period,
               levels, channels, frames);
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        bl_key_rectify(&detector->squares[channel], levels[channel], frames);
    }
    uint32_t hold = (uint32_t)(ramps[GATE_HOLD].target * gate->rate + 0.5f);
    paces->hold = bl_key_hold(detector, gate->now, hold, levels, channels, frames);
    bl_loudest(levels, channels, loudest, frames);
    bl_envelope_fill_paces(&ramps[GATE_ATTACK], gate->rate, paces->attack, frames);
    bl_envelope_fill_paces(&ramps[GATE_RELEASE], gate->rate, paces->release, frames);
    paces->is_automatic = false;
}

/* Turns levels into the gains that the gate asks for, dB: none taken away while it is open; closed,
   the expander's line below the threshold, no deeper than the range. */
BL_INLINE void ask(gate_unit *gate, float *levels, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *ramps = gate->base.parameters;
    float closing[BL_CHUNK_FRAMES];
    float closed[BL_CHUNK_FRAMES];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        levels[frame] =
            bl_gain_to_decibels(levels[frame]) - bl_ramp_value(&ramps[GATE_THRESHOLD], frame);
        closing[frame] = -bl_ramp_value(&ramps[GATE_HYSTERESIS], frame);
        float gain = (bl_ramp_value(&ramps[GATE_RATIO], frame) - 1.0f) * levels[frame];
        float floor = -bl_ramp_value(&ramps[GATE_RANGE], frame);
        closed[frame] = gain > floor ? gain : floor;
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        gate->is_open = levels[frame] >= (gate->is_open ? closing[frame] : 0);
        levels[frame] = gate->is_open ? 0 : closed[frame];
    }
}

BL_VECTOR_CLONES
void gate_process(bl_unit *unit, float *const *input, float *const *output, uint32_t first_frame,
                  uint32_t frames) BL_NONBLOCKING {
    gate_unit *gate = (gate_unit *)unit;
    bl_envelope_paces paces;
    float factors[BL_CHUNK_FRAMES];
    float delayed[BL_CHUNK_FRAMES];
    for (uint32_t done = 0, count; done < frames; done += count) {
        uint32_t first = first_frame + done;
        count = stretch_frames(gate, frames - done);
        listen(gate, first, &paces, factors, count);
        ask(gate, factors, count);
        bl_envelope_follow(&gate->envelope, &paces, factors, count);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            factors[frame] = bl_decibels_to_gain(factors[frame]);
        }
        for (uint32_t channel = 0; channel < gate->base.output_channel_count; channel += 1) {
            bl_look_ahead_delay(&gate->ahead, channel, gate->now, input[channel] + first, delayed,
                                count);
            bl_multiply_channel(delayed, output[channel] + first, count, factors);
        }
        bl_look_ahead_advance(&gate->ahead, count);
        for (uint32_t index = 0; index < GATE_PARAMETER_COUNT; index += 1) {
            bl_ramp_advance(&gate->base.parameters[index], count);
        }
        gate->now += count;
    }
}
