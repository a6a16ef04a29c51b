/* The gate's sound: a downward expander with hysteresis, its gain smoothed in decibels. */
#include "dsp/gain_computer.h"
#include "gate/gate.h"

/* Fills in the levels of the key's loudest channel, and the envelope's paces. */
BL_INLINE void listen(gate_unit *gate, uint32_t first_frame, bl_envelope_paces *paces,
                      float *loudest, uint32_t frames) BL_NONBLOCKING {
    bl_keyed_effect *effect = &gate->effect;
    const bl_ramp *ramps = effect->base.parameters;
    uint32_t channels = effect->key->channel_count;
    bl_levels levels;
    bl_keyed_effect_listen(effect, &ramps[LOW_CUT], LOW_CUT_OPEN, first_frame, levels, frames);
    bl_key_cut(effect->detector.high_cuts, false, &ramps[HIGH_CUT], HIGH_CUT_OPEN,
               effect->detector.period, levels, channels, frames);
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        bl_key_rectify(&effect->detector.squares[channel], levels[channel], frames);
    }
    bl_keyed_effect_hold(effect, &ramps[HOLD], &ramps[ATTACK], &ramps[RELEASE], levels, loudest,
                         paces, frames);
    paces->is_automatic = false;
    paces->is_loop = false;
}

/* Turns levels into the gate's gains, dB: 0 while it is open; closed, the expander's line below the
   threshold, no deeper than the range. */
BL_INLINE void ask(gate_unit *gate, float *levels, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *ramps = gate->effect.base.parameters;
    float closing[BL_CHUNK_FRAMES];
    float closed[BL_CHUNK_FRAMES];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        levels[frame] =
            bl_gain_to_decibels(levels[frame]) - bl_ramp_value(&ramps[THRESHOLD], frame);
        closing[frame] = -bl_ramp_value(&ramps[HYSTERESIS], frame);
        float gain = (bl_ramp_value(&ramps[RATIO], frame) - 1.0f) * levels[frame];
        float floor = -bl_ramp_value(&ramps[RANGE], frame);
        closed[frame] = gain > floor ? gain : floor;
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        gate->is_open = levels[frame] >= (gate->is_open ? closing[frame] : 0);
        levels[frame] = gate->is_open ? 0 : closed[frame];
    }
}

/* Converts the envelope's gains to factors. Flipped, the gate removes what it would pass. Returns
   the last frame's reduction, dB. */
BL_INLINE float fill_factors(const bl_ramp *ramps, float *gains, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float flipped = -bl_ramp_value(&ramps[RANGE], frame) - gains[frame];
        flipped = flipped < 0.0f ? flipped : 0.0f; /* the range may have shrunk faster */
        gains[frame] += bl_ramp_value(&ramps[FLIP], frame) * (flipped - gains[frame]);
    }
    float reduction = -gains[frames - 1];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        gains[frame] = bl_decibels_to_gain(gains[frame]);
    }
    return reduction;
}

BL_VECTOR_CLONES
void gate_process(bl_unit *unit, bl_io *io, uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    gate_unit *gate = (gate_unit *)unit;
    bl_keyed_effect *effect = &gate->effect;
    bl_envelope_paces paces;
    float factors[BL_CHUNK_FRAMES];
    float delayed[BL_CHUNK_FRAMES];
    for (uint32_t done = 0, count; done < frames; done += count) {
        uint32_t first = first_frame + done;
        count = bl_keyed_effect_begin(effect, frames - done);
        listen(gate, first, &paces, factors, count);
        ask(gate, factors, count);
        bl_envelope_follow(&gate->envelope, &paces, factors, count);
        float reduction = fill_factors(effect->base.parameters, factors, count);
        for (uint32_t channel = 0; channel < effect->base.output_channel_count; channel += 1) {
            bl_look_ahead_delay(&effect->ahead, channel, effect->now, io->input[channel] + first,
                                delayed, count);
            bl_multiply_channel(delayed, io->output[channel] + first, count, factors);
        }
        bl_keyed_effect_advance(effect, count);
        bl_ramp_set(&effect->base.parameters[GAIN_REDUCTION], reduction);
    }
}
