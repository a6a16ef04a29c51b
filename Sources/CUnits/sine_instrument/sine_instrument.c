/* Sine instrument: plays notes as sines, or as sines cubed, which adds the third partial. */
#include "sine_instrument/sine_instrument.h"

#include "base/built_in.h"
#include "dsp/declick.h"

static const char *const waveforms[] = {"Sine", "Cubed Sine", NULL};
static const bl_parameter_group_info groups[] = {{"envelope", "Envelope"}, {"vibrato", "Vibrato"}};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [WAVEFORM] = BL_CHOICE("waveform", "Waveform", waveforms, 0, 4),
    /* Six of the hardest strokes stay below full scale. */
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -96, 12, -16, 1),
    /* A changed attack applies to the next note. */
    [ATTACK] = BL_SETTING("attack", "Attack", SECONDS, LOGARITHMIC, 0.001f, 10, 0.005f, 2,
                          .group = "envelope"),
    [DECAY] = BL_SETTING("decay", "Decay", SECONDS, LOGARITHMIC, 0.001f, 10, 0.4f, 0,
                         .group = "envelope"),
    [SUSTAIN] =
        BL_SETTING("sustain", "Sustain", PERCENT, LINEAR, 0, 100, 70, 0, .group = "envelope"),
    [RELEASE] = BL_SETTING("release", "Release", SECONDS, LOGARITHMIC, 0.001f, 10, 0.25f, 3,
                           .group = "envelope"),
    [BEND_RANGE] = BL_SETTING("bend_range", "Bend Range", SEMITONES, LINEAR, 0, 24, 2, 0),
    [VIBRATO_RATE] = BL_SETTING("rate", "Vibrato Rate", HERTZ, LOGARITHMIC, 0.1f, 20, 5.5f, 0,
                                .group = "vibrato"),
    /* The depth at the modulation wheel's maximum. */
    [VIBRATO_DEPTH] = BL_SETTING("depth", "Vibrato Depth", CENTS, LINEAR, 0, 100, 40, 0,
                                 .group = "vibrato", BL_DEPENDENTS("vibrato.rate")),
};

#define PRESET(name, waveform, level, attack, decay, sustain, release)                             \
    BL_PRESET(name, {WAVEFORM, waveform}, {LEVEL, level}, {ATTACK, attack}, {DECAY, decay},        \
              {SUSTAIN, sustain}, {RELEASE, release})

static const bl_factory_preset presets[] = {
    PRESET("Test Tone", 0, -18, 0.005f, 0.01f, 100, 0.01f),
    PRESET("Flute Stop", 0, -23, 0.04f, 0.1f, 100, 0.09f),
    PRESET("Cubed Organ", 1, -20.5f, 0.006f, 0.08f, 90, 0.06f),
    PRESET("Slow Pad", 1, -19, 1.2f, 2, 80, 2.5f),
    PRESET("Mallet", 1, -11, 0.002f, 0.7f, 0, 0.3f),
    PRESET("Sub Bass", 0, -16, 0.006f, 0.3f, 85, 0.08f),
};

static bool create(bl_unit *unit) {
    ((bl_instrument *)unit)->keys.polyphony = BL_SINE_POLYPHONY;
    return bl_instrument_create(unit, &bl_sine_actions, BL_SINE_SLOTS);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    sine->phase_scale = bl_phase_scale(sine->instrument.base.sample_rate);
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        sine->voices[slot] = (bl_sine_voice){.stage = BL_STAGE_FREE};
    }
    bl_keys_reset(&sine->instrument.keys);
    sine->vibrato = 0;
    bl_ramp_set(&sine->cubed, sine->instrument.base.parameters[WAVEFORM].target);
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    const bl_unit_base *base = &sine->instrument.base;
    bl_kit_apply(unit, event);
    bl_switch(&sine->cubed, base->parameters[WAVEFORM].target, base->sample_rate, io == NULL);
    if (BL_PARAMETER_INDEX(event->parameter.address) == BEND_RANGE && base->sample_rate > 0) {
        bl_keys_tune(&sine->instrument.keys, unit);
    }
}

/* The release of the last note. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    return ((const bl_unit_base *)unit)->parameters[RELEASE].target;
}

BL_KIT(bl_sine_unit, .process = bl_sine_process, .change = change, .midi = bl_instrument_midi,
       .express = bl_instrument_express, .cycle = bl_instrument_cycle, .reset = reset,
       .create = create, .destroy = bl_instrument_destroy)

static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    (void)index;
    return bl_instrument_read_notes(unit, bl_sine_level, values);
}

const bl_unit_descriptor bl_sine_instrument = {
    BL_INSTRUMENT('s', 'i', 'n', 'e'),
    .name = "Sine Instrument",
    BL_TAGS("Synthesizer", "Keyboard", "Utility"),
    .summary = "Plays up to sixteen notes as sines, or as sines cubed",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
