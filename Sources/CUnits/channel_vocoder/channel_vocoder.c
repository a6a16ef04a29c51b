/* Vocoder: imposes the voice's bands on a carrier, so that a synthesizer speaks. */
#include "channel_vocoder/channel_vocoder.h"

#include <string.h>

#include "base/built_in.h"
#include "dsp/gain_computer.h"

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [BANDS] =
        BL_SETTING("bands", "Bands", GENERIC, LINEAR, FEWEST_BANDS, VOCODER_MOST_BANDS, 20, 1),
    [ATTACK] = BL_KNOB("attack", "Attack", MILLISECONDS, LOGARITHMIC, 0.5f, 100, 3, 2),
    [RELEASE] = BL_KNOB("release", "Release", MILLISECONDS, LOGARITHMIC, 5, 2000, 30, 3),
    [FORMANT] = BL_KNOB("formant", "Formant Shift", SEMITONES, LINEAR, -12, 12, 0, 4),
    [SIBILANCE] = BL_KNOB("sibilance", "Sibilance", PERCENT, LINEAR, 0, 100, 70, 5),
    [PITCH] = BL_KNOB("pitch", "Saw Pitch", HERTZ, LOGARITHMIC, 27.5f, 880, 110, 6),
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -24, 24, 0, 7),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 8),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Talking Synth", {BANDS, 20}),
    BL_PRESET("Classic Ten", {BANDS, 10}, {ATTACK, 6}, {RELEASE, 45}, {SIBILANCE, 40}),
    BL_PRESET("Clear Speech", {BANDS, 36}, {ATTACK, 1.5f}, {RELEASE, 18}, {SIBILANCE, 100}),
    BL_PRESET("Deep Robot", {BANDS, 16}, {FORMANT, -4}, {PITCH, 55}, {RELEASE, 40}, {LEVEL, 2.5f}),
    BL_PRESET("Little Robot", {BANDS, 24}, {FORMANT, 6}, {PITCH, 220}, {RELEASE, 20},
              {LEVEL, -1.5f}),
    BL_PRESET("Soft Choir", {BANDS, 24}, {ATTACK, 40}, {RELEASE, 40}, {SIBILANCE, 15},
              {LEVEL, 4.5f}),
    BL_PRESET("Half Human", {BANDS, 24}, {MIX, 55}, {SIBILANCE, 20}, {LEVEL, 4}),
    BL_PRESET("Whisper Machine", {BANDS, 8}, {PITCH, 41.2f}, {ATTACK, 2}, {RELEASE, 60},
              {SIBILANCE, 100}, {LEVEL, 1.5f}),
};

static const bl_telemetry_info telemetry[] = {
    {"bands", "Bands", BL_TELEMETRY_CURVE, VOCODER_MOST_BANDS},
};

static void reset(bl_unit *unit) BL_NONBLOCKING {
    vocoder_unit *vocoder = (vocoder_unit *)unit;
    bl_ramp_set(&vocoder->presence, 1);
    vocoder_set_bands(vocoder);
    vocoder->hissing = 0;
    vocoder->carrier_power = 0;
    memset(vocoder->noise, 0, sizeof vocoder->noise);
    vocoder->phase = 0;
    vocoder->now = 0;
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    const bl_buffers *carrier = &io->inputs[BL_SIDECHAIN_KEY];
    ((vocoder_unit *)unit)->carrier = carrier->channels != NULL ? carrier : NULL;
}

BL_KIT(vocoder_unit, .process = vocoder_process, .cycle = cycle, .reset = reset)

/* The decay by 60 dB of the voice's lowest band, whose slowest poles have the time constant 1 / (π
   sin(π/8) bandwidth), and of the release after it; or of the carrier's lowest band. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const vocoder_unit *vocoder = (const vocoder_unit *)unit;
    const bl_ramp *ramps = vocoder->base.parameters;
    double centre = vocoder_centre(vocoder, 0);
    double ratio = vocoder_centre(vocoder, 1) / centre;
    double ringing = 2 / (1.2022 * centre * (ratio - 1 / ratio));
    double release = 0.001 * (double)ramps[RELEASE].target;
    double shift = exp2((double)ramps[FORMANT].target / 12);
    return 6.91 * fmax(ringing + release, ringing / shift);
}

/* The levels of the bands, lowest band first, dB. */
static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    (void)index;
    const vocoder_unit *vocoder = (const vocoder_unit *)unit;
    for (uint32_t band = 0; band < vocoder->bands; band += 1) {
        values[band] = bl_gain_to_decibels(vocoder->envelopes[band]);
    }
    return vocoder->bands;
}

static const bl_channel_capability capabilities[] = {{1, 1}, {1, 2}, {2, 2}};

const bl_unit_descriptor bl_vocoder_unit = {
    BL_SIDECHAIN_EFFECT('v', 'o', 'c', 'o'),
    .name = "Vocoder",
    BL_TAGS("Voice", "Modulation", "Keyboard", "Synthesizer"),
    .summary = "Lets a synthesizer speak: lays the bands of a voice upon a carrier or a saw",
    BL_CHANNEL_CAPABILITIES,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
    BL_TELEMETRY,
};
