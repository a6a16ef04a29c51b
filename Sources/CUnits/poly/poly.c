/* Poly Synth: oscillators, filter and envelopes of an analogue polyphonic synthesizer. */
#include "poly/poly.h"

#include <math.h>
#include <string.h>

#include "base/built_in.h"
#include "dsp/declick.h"
#include "dsp/lfo.h"
#include "dsp/pan.h"

static const char *const modes[] = {"Poly", "Mono", "Legato", NULL};
static const char *const unison_counts[] = {"1", "2", "3", "4", "5", "6", "7", "8", NULL};
static const char *const shapes[] = {"Sine", "Triangle", "Saw", "Pulse", NULL};
static const char *const filter_modes[] = {"LP 24", "LP 12", "Band Pass", "High Pass",
                                           "Notch", "Off",   NULL};
static const char *const lfo_shapes[] = {"Sine",   "Triangle", "Saw Up", "Saw Down",
                                         "Square", "Random",   NULL};

#define PERCENT(identifier, path, name, usual, rank)                                               \
    BL_KNOB(identifier, name, PERCENT, LINEAR, 0, 100, usual, rank, .group = path)
#define OCTAVES(identifier, path, name, least, most, usual, rank)                                  \
    BL_KNOB(identifier, name, OCTAVES, LINEAR, least, most, usual, rank, .group = path)
#define CENTS(identifier, path, name, least, most)                                                 \
    BL_KNOB(identifier, name, CENTS, LINEAR, least, most, 0, 0, .group = path)

#define OSCILLATOR(first, path, level)                                                             \
    [first + BL_POLY_SHAPE] = BL_CHOICE("shape", "Shape", shapes, BL_POLY_SAW, 0, .group = path),  \
             [first + BL_POLY_PITCH] =                                                             \
                 BL_KNOB("pitch", "Pitch", SEMITONES, LINEAR, -36, 36, 0, 0, .group = path),       \
             [first + BL_POLY_FINE] = CENTS("fine", path, "Fine", -100, 100),                      \
             [first + BL_POLY_WIDTH] =                                                             \
                 BL_KNOB("width", "Pulse Width", PERCENT, LINEAR, 2, 98, 50, 0, .group = path),    \
             [first + BL_POLY_OSCILLATOR_LEVEL] = PERCENT("level", path, "Level", level, 0)

/* A changed attack applies to the next note. */
#define ENVELOPE(first, path, attack, decay, sustain, release, rank)                               \
    [first + BL_LANES_ATTACK] = BL_SETTING("attack", "Attack", SECONDS, LOGARITHMIC, 0.001f, 20,   \
                                           attack, rank, .group = path),                           \
             [first + BL_LANES_DECAY] = BL_SETTING("decay", "Decay", SECONDS, LOGARITHMIC, 0.001f, \
                                                   20, decay, 0, .group = path),                   \
             [first + BL_LANES_SUSTAIN] = BL_SETTING("sustain", "Sustain", PERCENT, LINEAR, 0,     \
                                                     100, sustain, 0, .group = path),              \
             [first + BL_LANES_RELEASE] =                                                          \
                 BL_SETTING("release", "Release", SECONDS, LOGARITHMIC, 0.001f, 20, release,       \
                            rank == 0 ? 0 : rank + 1, .group = path)

#define LFO(first, path, rate)                                                                     \
    [first + BL_POLY_LFO_SHAPE] = BL_CHOICE("shape", "Shape", lfo_shapes, 0, 0, .group = path),    \
             [first + BL_POLY_LFO_RATE] =                                                          \
                 BL_KNOB("rate", "Rate", HERTZ, LOGARITHMIC, 0.02f, 50, rate, 0, .group = path),   \
             [first + BL_POLY_LFO_SYNC] = BL_CHOICE("sync", "Sync", bl_lfo_sync_names, 0, 0,       \
                                                    .group = path, BL_DEPENDENTS(path ".rate")),   \
             [first + BL_POLY_LFO_FADE] =                                                          \
                 BL_SETTING("fade", "Fade-In", SECONDS, SQUARED, 0, 20, 0, 0, .group = path),      \
             [first + BL_POLY_LFO_RETRIGGER] =                                                     \
                 BL_OFF_ON("retrigger", "Retrigger", 0, 0, .group = path),                         \
             [first + BL_POLY_LFO_PITCH] = CENTS("pitch", path, "To Pitch", 0, 1200),              \
             [first + BL_POLY_LFO_WIDTH] =                                                         \
                 BL_KNOB("width", "To Pulse Width", PERCENT, LINEAR, 0, 48, 0, 0, .group = path),  \
             [first + BL_POLY_LFO_CUTOFF] = OCTAVES("cutoff", path, "To Cutoff", 0, 6, 0, 0),      \
             [first + BL_POLY_LFO_LEVEL] = PERCENT("level", path, "To Level", 0, 0)

static const bl_parameter_info parameters[BL_POLY_PARAMETER_COUNT] = {
    [BL_POLY_LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -96, 12, -20, 1),
    [BL_POLY_MODE] = BL_CHOICE("mode", "Mode", modes, BL_POLY_POLY, 8),
    [BL_POLY_VOICES] =
        BL_SETTING("voices", "Voices", GENERIC, LINEAR, 1, BL_POLY_MOST_VOICES, 16, 0),
    [BL_POLY_GLIDE] = BL_SETTING("glide", "Glide", SECONDS, SQUARED, 0, 5, 0, 7),
    [BL_POLY_BEND_RANGE] = BL_SETTING("bend_range", "Bend Range", SEMITONES, LINEAR, 0, 24, 2, 0),
    [BL_POLY_UNISON] = BL_SETTING("voices", "Unison", INDEXED, LINEAR, 1, BL_POLY_COPIES, 1, 6,
                                  .group = "unison", .value_strings = unison_counts),
    [BL_POLY_DETUNE] =
        BL_SETTING("detune", "Detune", CENTS, SQUARED, 0, 100, 12, 0, .group = "unison"),
    [BL_POLY_SPREAD] =
        BL_SETTING("spread", "Spread", PERCENT, LINEAR, 0, 100, 70, 0, .group = "unison"),
    [BL_POLY_DRIFT] = BL_KNOB("drift", "Drift", CENTS, SQUARED, 0, 50, 0, 0),
    OSCILLATOR(BL_POLY_FIRST, "osc1", 100),
    OSCILLATOR(BL_POLY_SECOND, "osc2", 0),
    /* Resets the second oscillator with each turn of the first. */
    [BL_POLY_HARD_SYNC] =
        BL_OFF_ON("sync", "Sync", 0, 0, .group = "osc2", BL_DEPENDENTS("osc2.fm")),
    /* The modulation index: the deviation of the second oscillator's frequency by the first,
       relative to its own. */
    [BL_POLY_FM] = BL_KNOB("fm", "FM", RATIO, SQUARED, 0, 10, 0, 0, .group = "osc2"),
    [BL_POLY_SUB] = PERCENT("sub", "mixer", "Sub", 0, 0),
    [BL_POLY_NOISE] = PERCENT("noise", "mixer", "Noise", 0, 0),
    [BL_POLY_FILTER_MODE] =
        BL_CHOICE("mode", "Mode", filter_modes, BL_POLY_LOW_PASS_24, 0, .group = "filter"),
    [BL_POLY_CUTOFF] =
        BL_KNOB("cutoff", "Cutoff", HERTZ, LOGARITHMIC, 10, 20000, 2000, 2, .group = "filter"),
    [BL_POLY_RESONANCE] = PERCENT("resonance", "filter", "Resonance", 0, 3),
    [BL_POLY_DRIVE] = BL_KNOB("drive", "Drive", DECIBELS, LINEAR, 0, 24, 0, 0, .group = "filter"),
    [BL_POLY_KEY_FOLLOW] = PERCENT("key_follow", "filter", "Key Follow", 0, 0),
    [BL_POLY_ENVELOPE_CUTOFF] = OCTAVES("envelope", "filter", "Envelope", -8, 8, 2, 0),
    [BL_POLY_VELOCITY_CUTOFF] = OCTAVES("velocity", "filter", "Velocity", 0, 6, 0, 0),
    ENVELOPE(BL_POLY_AMPLIFIER, "amplifier", 0.003f, 0.5f, 80, 0.2f, 4),
    [BL_POLY_VELOCITY] = PERCENT("velocity", "amplifier", "Velocity", 70, 0),
    ENVELOPE(BL_POLY_ENVELOPE, "envelope", 0.003f, 0.6f, 30, 0.3f, 0),
    /* The envelope's effect on the second oscillator's pitch. */
    [BL_POLY_ENVELOPE_PITCH] =
        BL_KNOB("pitch", "To Pitch 2", SEMITONES, LINEAR, -48, 48, 0, 0, .group = "envelope"),
    LFO(BL_POLY_LFO1, "lfo1", 5.5f),
    LFO(BL_POLY_LFO2, "lfo2", 0.5f),
    /* The first LFO's pitch modulation at the modulation wheel's maximum. */
    [BL_POLY_WHEEL_VIBRATO] =
        BL_KNOB("vibrato", "Wheel to Vibrato", CENTS, LINEAR, 0, 100, 30, 0, .group = "wheel"),
    [BL_POLY_WHEEL_CUTOFF] = OCTAVES("cutoff", "wheel", "Wheel to Cutoff", -6, 6, 0, 0),
    [BL_POLY_PRESSURE_CUTOFF] = OCTAVES("cutoff", "pressure", "Pressure to Cutoff", -6, 6, 1, 0),
    [BL_POLY_TIMBRE_CUTOFF] = OCTAVES("cutoff", "timbre", "Timbre to Cutoff", -6, 6, 2, 0),
};

static const bl_parameter_group_info groups[] = {
    {"unison", "Unison"},     {"osc1", "Oscillator 1"}, {"osc2", "Oscillator 2"},
    {"mixer", "Mixer"},       {"filter", "Filter"},     {"amplifier", "Amplifier"},
    {"envelope", "Envelope"}, {"lfo1", "LFO 1"},        {"lfo2", "LFO 2"},
    {"wheel", "Wheel"},       {"pressure", "Pressure"}, {"timbre", "Timbre"},
};

#include "poly/poly_presets.h"

static const float outputs[BL_POLY_FILTER_MODE_COUNT][BL_POLY_FILTER_OUTPUTS] = {
    [BL_POLY_LOW_PASS_24] = {1},     [BL_POLY_LOW_PASS_12] = {0, 1},
    [BL_POLY_BAND_PASS] = {0, 0, 2}, [BL_POLY_HIGH_PASS] = {0, 0, 0, 1},
    [BL_POLY_NOTCH] = {0, 1, 0, 1},  [BL_POLY_NO_FILTER] = {0, 0, 0, 0, 1},
};

static bool create(bl_unit *unit) {
    return bl_instrument_create(unit, &bl_poly_actions, BL_POLY_SLOTS);
}

static uint32_t choice(const bl_poly_unit *poly, uint32_t index) BL_NONBLOCKING {
    return (uint32_t)(poly->instrument.base.parameters[index].target + 0.5f);
}

/* Sets the weights of choices and unison. */
static void follow(bl_poly_unit *poly, bool at_once) BL_NONBLOCKING {
    double rate = poly->instrument.base.sample_rate;
    for (uint32_t shape = 0; shape < BL_POLY_SHAPE_COUNT; shape += 1) {
        bool first = choice(poly, BL_POLY_FIRST + BL_POLY_SHAPE) == shape;
        bool second = choice(poly, BL_POLY_SECOND + BL_POLY_SHAPE) == shape;
        bl_switch(&poly->shape[0][shape], first, rate, at_once);
        bl_switch(&poly->shape[1][shape], second, rate, at_once);
    }
    bl_switch(&poly->synced, choice(poly, BL_POLY_HARD_SYNC) == 1, rate, at_once);
    for (uint32_t output = 0; output < BL_POLY_FILTER_OUTPUTS; output += 1) {
        bl_switch(&poly->outputs[output], outputs[choice(poly, BL_POLY_FILTER_MODE)][output], rate,
                  at_once);
    }
    uint32_t unison = choice(poly, BL_POLY_UNISON);
    float spread = poly->instrument.base.parameters[BL_POLY_SPREAD].target * 0.01f;
    for (uint32_t copy = 0; copy < BL_POLY_COPIES; copy += 1) {
        bl_pan_gains gains = {0, 0};
        if (copy < unison) {
            float place = bl_poly_copy_place(copy, unison) * spread;
            bl_pan(&gains, 1, 2, place, sqrtf(2.0f / (float)(int32_t)unison));
        }
        bl_switch(&poly->gains[copy][0], gains.left, rate, at_once);
        bl_switch(&poly->gains[copy][1], gains.right, rate, at_once);
    }
    poly->instrument.keys.polyphony = choice(poly, BL_POLY_VOICES);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    bl_keys_reset(&poly->instrument.keys);
    memset(poly->groups, 0, sizeof poly->groups);
    memset(poly->down, 0, sizeof poly->down);
    memset(poly->lfos, 0, sizeof poly->lfos);
    memset(poly->turns, 0, sizeof poly->turns);
    memset(poly->beats, 0, sizeof poly->beats);
    for (uint32_t index = 0; index < BL_POLY_GROUPS; index += 1) {
        bl_lanes_envelope_reset(&poly->groups[index].amplifier);
        bl_lanes_envelope_reset(&poly->groups[index].envelope);
    }
    poly->held.count = 0;
    poly->has_played = false;
    poly->drift_step = 0;
    poly->drift_left = (uint32_t)(BL_POLY_DRIFT_TIME * poly->instrument.base.sample_rate);
    follow(poly, true);
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    bl_instrument_cycle(unit, io);
    for (uint32_t lfo = 0; lfo < BL_POLY_LFOS; lfo += 1) {
        bl_turns_follow(&poly->beats[lfo].turns, &poly->instrument.base, io);
    }
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    uint32_t index = BL_PARAMETER_INDEX(event->parameter.address);
    bl_kit_apply(unit, event);
    follow(poly, io == NULL);
    if (index == BL_POLY_BEND_RANGE) {
        bl_keys_tune(&poly->instrument.keys, unit);
    } else if (index == BL_POLY_VOICES) {
        bl_keys_keep_polyphony(&poly->instrument.keys, unit, poly->instrument.keys.polyphony);
    } else if (index == BL_POLY_MODE) {
        poly->held.count = 0;
    }
}

static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    bl_poly_receive(poly, message);
    bl_keys_name(&poly->instrument.keys, message, io->note_id);
}

/* The release of the last note. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_ramp *ramps = ((const bl_unit_base *)unit)->parameters;
    return (double)ramps[BL_POLY_AMPLIFIER + BL_LANES_RELEASE].target;
}

/* The half-band filters' latency for low frequencies. */
static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return 2;
}

BL_KIT(bl_poly_unit, .process = bl_poly_process, .change = change, .midi = midi,
       .express = bl_instrument_express, .cycle = cycle, .reset = reset, .create = create,
       .destroy = bl_instrument_destroy)

static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    (void)index;
    return bl_instrument_read_notes(unit, bl_poly_level, values);
}

const bl_unit_descriptor bl_poly_synth = {
    BL_INSTRUMENT('p', 'o', 'l', 'y'),
    .name = "Poly Synth",
    BL_TAGS("Synthesizer", "Keyboard", "Utility"),
    .summary = "Plays up to 64 notes with oscillators, filter and envelopes as analogue ones",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .latency = latency,
    .tail_time = tail_time,
};
