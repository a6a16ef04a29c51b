/* The response of the poly synth's voices to keys and controllers. */
#include "dsp/random_value.h"
#include "poly/poly.h"

static bl_poly_group *group_of(bl_poly_unit *poly, uint32_t slot) BL_NONBLOCKING {
    return &poly->groups[slot / BL_LANES];
}

static float parameter(const bl_poly_unit *poly, uint32_t index) BL_NONBLOCKING {
    return poly->instrument.base.parameters[index].target;
}

static void tune(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    bl_voice_lanes_tune(&group_of(poly, slot)->voices, slot % BL_LANES, &poly->instrument.keys,
                        slot, parameter(poly, BL_POLY_BEND_RANGE),
                        poly->instrument.base.sample_rate);
}

static void express(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    bl_voice_lanes *voices = &group_of(poly, slot)->voices;
    uint32_t lane = slot % BL_LANES;
    float softer = 1.0f - voices->velocity[lane] * voices->velocity[lane];
    float force = 1.0f - parameter(poly, BL_POLY_VELOCITY) * 0.01f * softer;
    bl_voice_lanes_express(voices, lane, &poly->instrument.keys, slot, force,
                           poly->instrument.base.sample_rate);
}

/* Starts a glide at the last key, or at an equal distance from the present pitch. */
static void glide(bl_poly_unit *poly, uint32_t slot, float from) BL_NONBLOCKING {
    bl_poly_group *group = group_of(poly, slot);
    uint32_t lane = slot % BL_LANES;
    double frames = (double)parameter(poly, BL_POLY_GLIDE) * poly->instrument.base.sample_rate;
    bl_lanes_ramp_set(&group->glide, lane, from - group->voices.pitch[lane]);
    bl_lanes_ramp_start(&group->glide, lane, 0, (uint32_t)(frames + 0.5));
    poly->last_pitch = group->voices.pitch[lane];
    poly->has_played = true;
}

/* Resets a lane's oscillators, filters and LFOs. */
static void begin_sound(bl_poly_unit *poly, uint32_t slot) BL_NONBLOCKING {
    bl_poly_group *group = group_of(poly, slot);
    uint32_t lane = slot % BL_LANES;
    uint64_t seed = bl_mix_bits(poly->instrument.keys.voices[slot].order);
    for (uint32_t index = 0; index < BL_POLY_OSCILLATORS; index += 1) {
        for (uint32_t copy = 0; copy < BL_POLY_COPIES; copy += 1) {
            /* The first copy starts each note the same; the others at random phases. */
            uint64_t place = bl_mix_bits(seed + 2 * copy + index);
            group->phases[index][copy][lane] = copy == 0 ? 0 : (uint32_t)place;
        }
        bl_lanes_ramp_set(&group->drift[index], lane, bl_poly_drift(slot, index, poly->drift_step));
        bl_lanes_ramp_start(&group->drift[index], lane,
                            bl_poly_drift(slot, index, poly->drift_step + 1), poly->drift_left);
    }
    group->sub[lane] = 0;
    group->noise[lane] = (uint32_t)seed | 1;
    for (uint32_t side = 0; side < 2; side += 1) {
        bl_poly_filter_state *state = &group->filter[side];
        for (uint32_t pole = 0; pole < 4; pole += 1) {
            state->ladder[pole][lane] = 0;
        }
        state->band[lane] = state->low[lane] = 0;
    }
    for (uint32_t lfo = 0; lfo < BL_POLY_LFOS; lfo += 1) {
        bool begins = bl_poly_lfo(poly, lfo)[BL_POLY_LFO_RETRIGGER].target >= 0.5f;
        group->lfos[lfo][lane] = begins ? 0 : poly->lfos[lfo];
        group->turns[lfo][lane] = begins ? (uint32_t)(seed >> 32) + lfo : poly->turns[lfo];
    }
}

static void strike(bl_poly_unit *poly, uint32_t slot) BL_NONBLOCKING {
    bl_poly_group *group = group_of(poly, slot);
    uint32_t lane = slot % BL_LANES;
    float rate = (float)poly->instrument.base.sample_rate;
    const bl_ramp *ramps = poly->instrument.base.parameters;
    bl_lanes_envelope_attack(&group->amplifier, lane, &ramps[BL_POLY_AMPLIFIER], rate);
    bl_lanes_envelope_attack(&group->envelope, lane, &ramps[BL_POLY_ENVELOPE], rate);
}

static void start(bl_unit *unit, uint32_t slot, uint8_t velocity) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    bl_poly_group *group = group_of(poly, slot);
    uint32_t lane = slot % BL_LANES;
    group->voices.velocity[lane] = (float)velocity / 127.0f;
    begin_sound(poly, slot);
    tune(unit, slot);
    glide(poly, slot, poly->has_played ? poly->last_pitch : group->voices.pitch[lane]);
    express(unit, slot);
    bl_voice_lanes_start(&group->voices, lane);
    bl_lanes_envelope_end(&group->amplifier, lane);
    bl_lanes_envelope_end(&group->envelope, lane);
    strike(poly, slot);
}

void bl_poly_move(bl_poly_unit *poly, uint32_t slot, uint8_t channel, uint8_t note,
                  uint8_t velocity, bool strikes) BL_NONBLOCKING {
    bl_poly_group *group = group_of(poly, slot);
    uint32_t lane = slot % BL_LANES;
    bl_key_voice *voice = &poly->instrument.keys.voices[slot];
    float present = group->voices.pitch[lane] + bl_lanes_ramp_now(&group->glide, lane);
    voice->channel = channel;
    voice->note = note;
    voice->key_down = true;
    tune((bl_unit *)poly, slot);
    glide(poly, slot, present);
    if (strikes || voice->stage == BL_KEY_RELEASED) {
        voice->stage = BL_KEY_SOUNDS;
        group->voices.velocity[lane] = (float)velocity / 127.0f;
        strike(poly, slot);
    }
    express((bl_unit *)poly, slot);
}

static void release(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    bl_poly_group *group = group_of(poly, slot);
    uint32_t lane = slot % BL_LANES;
    float rate = (float)poly->instrument.base.sample_rate;
    const bl_ramp *ramps = poly->instrument.base.parameters;
    bl_lanes_envelope_release(&group->amplifier, lane, &ramps[BL_POLY_AMPLIFIER], rate);
    bl_lanes_envelope_release(&group->envelope, lane, &ramps[BL_POLY_ENVELOPE], rate);
}

static void fade(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    bl_voice_lanes_fade(&group_of(poly, slot)->voices, slot % BL_LANES,
                        &poly->instrument.keys.voices[slot], poly->instrument.base.sample_rate);
}

static float loudness(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    const bl_poly_unit *poly = (const bl_poly_unit *)unit;
    return bl_lanes_ramp_now(&poly->groups[slot / BL_LANES].voices.fade, slot % BL_LANES);
}

const bl_key_actions bl_poly_actions = {start, release, fade, loudness, tune, express};

/* Drops the keys that a message to a channel ends: its own, and those of its zone. */
static void let_go(bl_poly_unit *poly, uint8_t channel) BL_NONBLOCKING {
    for (uint8_t other = 0; other < BL_MIDI_CHANNELS; other += 1) {
        if (bl_channel_concerns(&poly->instrument.keys.channels, channel, other)) {
            bl_held_keys_remove(&poly->held, other, BL_ALL_KEYS);
        }
    }
}

void bl_poly_receive(bl_poly_unit *poly, const bl_midi_event *message) BL_NONBLOCKING {
    bool is_note = bl_midi_is_note_on(message) || bl_midi_is_note_off(message);
    if (is_note && parameter(poly, BL_POLY_MODE) >= 0.5f) {
        bl_poly_mono_note(poly, message);
        return;
    }
    if (bl_midi_is_all_off(message)) {
        let_go(poly, message->bytes[0] & 15);
    }
    bl_keys_receive(&poly->instrument.keys, (bl_unit *)poly, message);
}

float bl_poly_level(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    const bl_poly_group *group = &((const bl_poly_unit *)unit)->groups[slot / BL_LANES];
    uint32_t lane = slot % BL_LANES;
    return bl_lanes_envelope_value(&group->amplifier, lane) * group->voices.velocity[lane];
}
