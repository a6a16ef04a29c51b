/* Granulator: plays the last half minute in grains, or as a frozen spectrum. */
#include "granular/granular.h"

#include <math.h>

#include "base/built_in.h"
#include "dsp/declick.h"

/* The length of the spectrum's windows, seconds: the nearest power of two of frames. */
#define SPECTRUM_LENGTH 0.34
/* Bins for one grain of the transform's work. */
enum { SPECTRUM_GRAIN = 8 };

static const char *const engines[] = {"Grains", "Spectrum", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [ENGINE] = BL_CHOICE("engine", "Engine", engines, ENGINE_GRAINS, 1),
    [FREEZE] = BL_SWITCH("freeze", "Freeze", 0, 2),
    [POSITION] = BL_KNOB("position", "Position", SECONDS, SQUARED, 0, GRANULAR_POSITION, 0.1f, 3),
    [SPRAY] = BL_KNOB("spray", "Spray", SECONDS, SQUARED, 0, GRANULAR_SPRAY, 0.1f, 4),
    [SIZE] = BL_KNOB("size", "Size", MILLISECONDS, LOGARITHMIC, 5, 1000, 120, 5),
    [DENSITY] = BL_KNOB("density", "Density", HERTZ, LOGARITHMIC, 0.5f, 200, 20, 6),
    [SYNC] = BL_CHOICE("sync", "Sync", bl_note_sync_names, 0, 0, BL_DEPENDENTS("density")),
    [JITTER] = BL_KNOB("jitter", "Jitter", PERCENT, LINEAR, 0, 100, 50, 0),
    [GRAINS] = BL_SETTING("grains", "Most Grains", GENERIC, LINEAR, 1, MOST_GRAINS, 32, 0),
    [PITCH] = BL_KNOB("pitch", "Pitch", SEMITONES, LINEAR, -24, 24, 0, 7),
    [REVERSE] = BL_KNOB("reverse", "Reverse", PERCENT, LINEAR, 0, 100, 0, 0),
    [SPREAD] = BL_KNOB("spread", "Spread", PERCENT, LINEAR, 0, 100, 50, 0),
    [SEED] = BL_SETTING("seed", "Seed", GENERIC, LINEAR, 0, 9999, 1, 0),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 50, 8),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Cloud", {SPRAY, 0.5f}, {SIZE, 200}, {DENSITY, 30}, {SPREAD, 80}),
    BL_PRESET("Octave Shimmer", {PITCH, 12}, {SPRAY, 0.4f}, {SIZE, 250}, {DENSITY, 24},
              {SPREAD, 90}, {MIX, 35}),
    BL_PRESET("Backward Choir", {REVERSE, 100}, {SIZE, 700}, {DENSITY, 8}, {SPRAY, 0.8f},
              {SPREAD, 70}),
    BL_PRESET("Stutter in Sixteenths", {SYNC, 3}, {JITTER, 0}, {SIZE, 110}, {SPRAY, 0},
              {POSITION, 0.25f}, {SPREAD, 0}),
    BL_PRESET("Rain", {SIZE, 12}, {DENSITY, 130}, {SPRAY, 1.5f}, {PITCH, 7}, {SPREAD, 100},
              {JITTER, 100}),
    BL_PRESET("Half-speed Ghost", {PITCH, -12}, {SIZE, 500}, {DENSITY, 10}, {SPRAY, 0.6f},
              {MIX, 45}),
    BL_PRESET("Smear", {ENGINE, ENGINE_SPECTRUM}, {POSITION, 0}, {SPRAY, 0.2f}),
    BL_PRESET("Frozen Pad", {ENGINE, ENGINE_SPECTRUM}, {POSITION, 0.1f}, {SPRAY, 0}),
};

static void reset(bl_unit *self) BL_NONBLOCKING {
    granular_unit *unit = (granular_unit *)self;
    bl_moddelay_empty(&unit->past, unit->lines, unit->base.input_channel_count);
    bl_ramp_set(&unit->recording, unit->base.parameters[FREEZE].target > 0.5f ? 0 : 1);
    unit->cloud = (grain_cloud){0};
    for (uint32_t channel = 0; channel < unit->base.output_channel_count; channel += 1) {
        bl_stft_reset(&unit->spectra[channel].stft);
    }
    unit->has_spectra = false;
}

static void finish(bl_unit *self) {
    granular_unit *unit = (granular_unit *)self;
    for (uint32_t channel = 0; channel < GRAIN_CHANNELS; channel += 1) {
        bl_stft_destroy(&unit->spectra[channel].stft);
    }
}

static bl_status prepare(bl_unit *self) {
    granular_unit *unit = (granular_unit *)self;
    double rate = unit->base.sample_rate;
    bl_moddelay_size(&unit->past, GRANULAR_PAST * rate);
    size_t floats = (size_t)unit->base.input_channel_count * bl_moddelay_floats(&unit->past);
    unit->lines = bl_kit_memory(self, floats, sizeof(float));
    if (unit->lines == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    double length = exp2(floor(log2(SPECTRUM_LENGTH * rate) + 0.5));
    length = fmax(BL_FFT_MINIMUM * BL_STFT_OVERLAP, fmin(length, BL_FFT_MAXIMUM));
    for (uint32_t channel = 0; channel < unit->base.output_channel_count; channel += 1) {
        granular_spectrum *spectrum = &unit->spectra[channel];
        spectrum->unit = unit;
        spectrum->channel = channel;
        if (!bl_stft_create(&spectrum->stft, (uint32_t)length, SPECTRUM_GRAIN)) {
            finish(self);
            return BL_ERROR_OUT_OF_MEMORY;
        }
    }
    bl_sinc_fill(&unit->sinc);
    return BL_OK;
}

static void change(bl_unit *self, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)self;
    if (io != NULL && event->parameter.address == ENGINE) {
        bl_declick(&base->parameters[ENGINE], event->parameter.value, base->sample_rate);
    } else {
        bl_kit_apply(self, event);
    }
}

BL_KIT(granular_unit, .process = granular_process, .change = change, .prepare = prepare,
       .finish = finish, .reset = reset)

/* A frozen past sounds for ever. */
static double tail_time(const bl_unit *self) BL_NONBLOCKING {
    const granular_unit *unit = (const granular_unit *)self;
    const bl_ramp *ramps = unit->base.parameters;
    if (ramps[FREEZE].target > 0.5f) {
        return INFINITY;
    }
    double back = (double)(ramps[POSITION].target + ramps[SPRAY].target);
    if (ramps[ENGINE].target > 0.5f * ENGINE_SPECTRUM) {
        const bl_stft *stft = &unit->spectra[0].stft;
        return back + (2 * stft->length + stft->hop) / unit->base.sample_rate;
    }
    /* A slow or reversed grain reads past frames behind its start; a fast one starts as far back as
       it will approach. */
    double size = 0.001 * (double)ramps[SIZE].target;
    double speed = exp2((double)ramps[PITCH].target / 12);
    double behind = ramps[REVERSE].target > 0 ? 1 + speed : fmax(0, 1 - speed);
    return fmax(back, (speed - 1) * size) + behind * size;
}

static const bl_channel_capability capabilities[] = {{1, 1}, {1, 2}, {2, 2}};

const bl_unit_descriptor bl_granular = {
    BL_EFFECT('g', 'r', 'a', 'n'),
    .name = "Granulator",
    BL_TAGS("Time", "Space", "Guitar", "Voice", "Keyboard"),
    .summary = "Plays the last half minute in grains, or holds its spectrum still",
    BL_CHANNEL_CAPABILITIES,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
