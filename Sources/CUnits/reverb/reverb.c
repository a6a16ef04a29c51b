/* Reverb: a room, a chamber, a hall or a plate around the sound. */
#include "reverb/reverb_absorption.h"
#include "reverb/reverb_shimmer.h"

#include <math.h>

#include "base/built_in.h"
#include "dsp/note_length.h"

/* Crossfade time of changed delays, seconds. */
#define CROSSFADE_TIME 0.08
/* Attack and release of the ducking's level, seconds. */
#define DUCK_ATTACK 0.005
#define DUCK_RELEASE 0.25

/* The vocoder's band for the shimmer. */
static const bl_vocoder_band shimmer_band = {4096, 0, INFINITY};

static const char *const type_names[] = {"Room", "Chamber", "Hall", "Plate", NULL};
static const char *const interval_names[] = {"Octave", "Fifth", NULL};

static const bl_parameter_info parameters[BL_REVERB_PARAMETER_COUNT] = {
    [BL_REVERB_TYPE] = BL_CHOICE("type", "Type", type_names, BL_REVERB_HALL, 1),
    [BL_REVERB_PRE_DELAY] = BL_KNOB("pre_delay", "Pre-Delay", MILLISECONDS, SQUARED, 0, 500, 15, 5),
    [BL_REVERB_SYNC] =
        BL_CHOICE("sync", "Sync", bl_note_sync_names, 0, 0, BL_DEPENDENTS("pre_delay")),
    [BL_REVERB_SIZE] = BL_KNOB("size", "Size", RATIO, LOGARITHMIC, 0.2f, 3, 1, 4),
    [BL_REVERB_DECAY] = BL_KNOB("decay", "Decay", SECONDS, LOGARITHMIC, 0.1f, 30, 1.8f, 2),
    [BL_REVERB_LOW_DECAY] = BL_KNOB("low_decay", "Low Decay", RATIO, LOGARITHMIC, 0.3f, 3, 1.1f, 0),
    [BL_REVERB_LOW_FREQUENCY] =
        BL_KNOB("low_frequency", "Low Frequency", HERTZ, LOGARITHMIC, 50, 1000, 200, 0),
    [BL_REVERB_HIGH_DECAY] =
        BL_KNOB("high_decay", "High Decay", RATIO, LOGARITHMIC, 0.1f, 1, 0.5f, 6),
    [BL_REVERB_HIGH_FREQUENCY] =
        BL_KNOB("high_frequency", "High Frequency", HERTZ, LOGARITHMIC, 1000, 16000, 5000, 0),
    [BL_REVERB_DIFFUSION] = BL_KNOB("diffusion", "Diffusion", PERCENT, LINEAR, 0, 100, 80, 0),
    [BL_REVERB_EARLY] =
        BL_KNOB("early", "Early Level", DECIBELS, LINEAR, BL_FADER_MINIMUM, 12, -6, 0),
    [BL_REVERB_LATE] = BL_KNOB("late", "Late Level", DECIBELS, LINEAR, BL_FADER_MINIMUM, 12, 0, 0),
    [BL_REVERB_SHIMMER] = BL_KNOB("shimmer", "Shimmer", PERCENT, LINEAR, 0, 100, 0, 0),
    [BL_REVERB_INTERVAL] = BL_CHOICE("interval", "Shimmer Interval", interval_names, 0, 0),
    [BL_REVERB_RATE] = BL_KNOB("rate", "Modulation Rate", HERTZ, LOGARITHMIC, 0.05f, 3, 0.4f, 0),
    [BL_REVERB_DEPTH] = BL_KNOB("depth", "Modulation Depth", PERCENT, LINEAR, 0, 100, 20, 0),
    [BL_REVERB_WIDTH] = BL_KNOB("width", "Width", PERCENT, LINEAR, 0, 150, 100, 0),
    [BL_REVERB_LOW_CUT] = BL_LOW_CUT_PARAMETER(20, 7),
    [BL_REVERB_HIGH_CUT] = BL_HIGH_CUT_PARAMETER(16000, 8),
    [BL_REVERB_DUCK] = BL_KNOB("duck", "Duck", DECIBELS, LINEAR, 0, 24, 0, 0),
    [BL_REVERB_FREEZE] = BL_OFF_ON("freeze", "Freeze", 0, 9),
    [BL_REVERB_MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 22, 3),
};

#define SPACE(type, size, decay, mix)                                                              \
    {BL_REVERB_TYPE, type}, {BL_REVERB_SIZE, size}, {BL_REVERB_DECAY, decay}, { BL_REVERB_MIX, mix }

static const bl_factory_preset presets[] = {
    BL_PRESET("Small Room", SPACE(BL_REVERB_ROOM, 0.7f, 0.45f, 20), {BL_REVERB_PRE_DELAY, 3},
              {BL_REVERB_EARLY, 0}, {BL_REVERB_HIGH_DECAY, 0.6f}),
    BL_PRESET("Drum Room", SPACE(BL_REVERB_ROOM, 1.3f, 0.7f, 24), {BL_REVERB_PRE_DELAY, 6},
              {BL_REVERB_EARLY, 0}, {BL_REVERB_LOW_DECAY, 0.8f}, {BL_REVERB_HIGH_DECAY, 0.8f},
              {BL_REVERB_LOW_CUT, 60}),
    BL_PRESET("Vocal Booth", SPACE(BL_REVERB_ROOM, 0.4f, 0.25f, 18), {BL_REVERB_PRE_DELAY, 0},
              {BL_REVERB_EARLY, -3}, {BL_REVERB_LOW_CUT, 150}),
    BL_PRESET("Studio B", SPACE(BL_REVERB_CHAMBER, 0.7f, 0.9f, 20), {BL_REVERB_PRE_DELAY, 8},
              {BL_REVERB_EARLY, -3}, {BL_REVERB_LOW_CUT, 80}),
    BL_PRESET("Chamber", SPACE(BL_REVERB_CHAMBER, 1, 1.6f, 22), {BL_REVERB_PRE_DELAY, 18},
              {BL_REVERB_LOW_CUT, 100}, {BL_REVERB_HIGH_DECAY, 0.6f}),
    BL_PRESET("Vocal Plate", SPACE(BL_REVERB_PLATE, 1, 1.9f, 19), {BL_REVERB_PRE_DELAY, 35},
              {BL_REVERB_LOW_CUT, 180}, {BL_REVERB_HIGH_DECAY, 0.6f}),
    BL_PRESET("Bright Plate", SPACE(BL_REVERB_PLATE, 0.8f, 1.5f, 21), {BL_REVERB_PRE_DELAY, 0},
              {BL_REVERB_LOW_CUT, 250}, {BL_REVERB_LOW_DECAY, 0.8f}, {BL_REVERB_HIGH_DECAY, 0.9f},
              {BL_REVERB_HIGH_FREQUENCY, 9000}, {BL_REVERB_HIGH_CUT, 20000}),
    BL_PRESET("Gold Plate", SPACE(BL_REVERB_PLATE, 1.2f, 2.8f, 19), {BL_REVERB_PRE_DELAY, 12},
              {BL_REVERB_LOW_DECAY, 1.3f}, {BL_REVERB_HIGH_DECAY, 0.35f}, {BL_REVERB_LOW_CUT, 90},
              {BL_REVERB_HIGH_CUT, 9000}),
    BL_PRESET("Jazz Hall", SPACE(BL_REVERB_HALL, 0.6f, 1.5f, 19), {BL_REVERB_PRE_DELAY, 12},
              {BL_REVERB_HIGH_DECAY, 0.6f}, {BL_REVERB_LOW_CUT, 50}),
    BL_PRESET("Large Hall", SPACE(BL_REVERB_HALL, 1.2f, 2.6f, 21), {BL_REVERB_PRE_DELAY, 28},
              {BL_REVERB_LOW_DECAY, 1.2f}, {BL_REVERB_LOW_CUT, 60}),
    BL_PRESET("Cathedral", SPACE(BL_REVERB_HALL, 2.4f, 6.5f, 21), {BL_REVERB_PRE_DELAY, 50},
              {BL_REVERB_LOW_DECAY, 1.3f}, {BL_REVERB_HIGH_DECAY, 0.4f}, {BL_REVERB_LATE, -2},
              {BL_REVERB_LOW_CUT, 80}),
    BL_PRESET("Ambient Wash", SPACE(BL_REVERB_HALL, 1.8f, 9, 32), {BL_REVERB_PRE_DELAY, 60},
              {BL_REVERB_EARLY, -96}, {BL_REVERB_LATE, -4}, {BL_REVERB_DEPTH, 60},
              {BL_REVERB_LOW_CUT, 150}, {BL_REVERB_WIDTH, 130}),
    BL_PRESET("Shimmer", SPACE(BL_REVERB_HALL, 1.4f, 4.5f, 24), {BL_REVERB_PRE_DELAY, 30},
              {BL_REVERB_EARLY, -96}, {BL_REVERB_SHIMMER, 75}, {BL_REVERB_DEPTH, 40},
              {BL_REVERB_LOW_CUT, 120}, {BL_REVERB_HIGH_CUT, 9000}),
    BL_PRESET("Gated 80s", SPACE(BL_REVERB_HALL, 3, 0.15f, 36), {BL_REVERB_PRE_DELAY, 0},
              {BL_REVERB_EARLY, -96}, {BL_REVERB_LATE, 11}, {BL_REVERB_DIFFUSION, 100},
              {BL_REVERB_HIGH_DECAY, 1}, {BL_REVERB_LOW_CUT, 120}),
    BL_PRESET("Ducked Lead", SPACE(BL_REVERB_HALL, 1, 2.8f, 28), {BL_REVERB_PRE_DELAY, 80},
              {BL_REVERB_DUCK, 10}, {BL_REVERB_LOW_CUT, 200}, {BL_REVERB_HIGH_CUT, 8000}),
    BL_PRESET("Guitar Amp Room", SPACE(BL_REVERB_ROOM, 1, 0.55f, 18), {BL_REVERB_PRE_DELAY, 2},
              {BL_REVERB_EARLY, 0}, {BL_REVERB_LOW_CUT, 120}, {BL_REVERB_HIGH_CUT, 6500}),
    BL_PRESET("Endless", SPACE(BL_REVERB_HALL, 1.5f, 30, 24), {BL_REVERB_PRE_DELAY, 40},
              {BL_REVERB_EARLY, -96}, {BL_REVERB_LATE, -9}, {BL_REVERB_LOW_DECAY, 1},
              {BL_REVERB_HIGH_DECAY, 0.4f}, {BL_REVERB_DEPTH, 50}, {BL_REVERB_LOW_CUT, 120}),
};

static bool create(bl_unit *unit) {
    bl_reverb_reflect(((bl_reverb_unit *)unit)->rooms);
    return true;
}

/* 1 while the lines accept input. */
static float open_target(const bl_reverb_unit *reverb) BL_NONBLOCKING {
    return reverb->base.parameters[BL_REVERB_FREEZE].target >= 0.5f ? 0 : 1;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_reverb_unit *reverb = (bl_reverb_unit *)unit;
    bl_ring_empty(&reverb->clock);
    bl_reverb_measure(reverb, &reverb->geometry);
    reverb->next = reverb->geometry;
    reverb->fade.left = 0;
    reverb->grid_left = 0;
    reverb->lines_moved = false;
    reverb->decay = bl_reverb_decay_now(reverb);
    bl_reverb_absorb(&reverb->aim, &reverb->decay, reverb->geometry.lines,
                     reverb->base.sample_rate);
    for (uint32_t line = 0; line < BL_REVERB_LINES; line += 1) {
        reverb->low_state[line] = reverb->high_state[line] = 0;
    }
    bl_ramp_set(&reverb->open, open_target(reverb));
    reverb->phase = 0;
    bl_shimmer_empty(reverb);
    reverb->level = 0;
    for (uint32_t pair = 0; pair < sizeof reverb->cuts / sizeof reverb->cuts[0]; pair += 1) {
        reverb->cuts[pair] = (bl_wet_cut){0};
    }
}

static uint32_t mask_for(double seconds, double rate) {
    return bl_ring_capacity((uint32_t)(seconds * rate) + 2, BL_REVERB_CHUNK) - 1;
}

static bl_status prepare(bl_unit *unit) {
    bl_reverb_unit *reverb = (bl_reverb_unit *)unit;
    double rate = reverb->base.sample_rate;
    reverb->input_mask = mask_for(bl_reverb_longest_input, rate);
    reverb->scatter_mask = mask_for(bl_reverb_longest_scatter, rate);
    reverb->diffuser_mask = mask_for(bl_reverb_longest_step, rate);
    reverb->line_mask = mask_for(bl_reverb_longest_line, rate);
    size_t inputs = reverb->base.input_channel_count;
    size_t input = inputs * (reverb->input_mask + 1);
    size_t scatter = inputs * BL_REVERB_SCATTERS * (reverb->scatter_mask + 1);
    size_t diffuser = (size_t)BL_REVERB_STEPS * BL_REVERB_CHANNELS * (reverb->diffuser_mask + 1);
    size_t lines = (size_t)BL_REVERB_LINES * (reverb->line_mask + 1);
    reverb->input_rings = bl_kit_memory(unit, input, sizeof(float));
    reverb->early_rings = bl_kit_memory(unit, input, sizeof(float));
    reverb->scatter_rings = bl_kit_memory(unit, scatter, sizeof(float));
    reverb->diffuser_rings = bl_kit_memory(unit, diffuser, sizeof(float));
    reverb->line_rings = bl_kit_memory(unit, lines, sizeof(float));
    if (bl_kit_memory_status(unit) != BL_OK ||
        !bl_vocoder_create(&reverb->vocoder, rate, &shimmer_band)) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    reverb->fade.frames = (uint32_t)(CROSSFADE_TIME * rate);
    reverb->phase_scale = bl_phase_scale(rate);
    reverb->attack = (float)(1 - exp(-1 / (DUCK_ATTACK * rate)));
    reverb->release = (float)(1 - exp(-1 / (DUCK_RELEASE * rate)));
    return BL_OK;
}

static void finish(bl_unit *unit) { bl_vocoder_destroy(&((bl_reverb_unit *)unit)->vocoder); }

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_reverb_unit *reverb = (bl_reverb_unit *)unit;
    bl_kit_apply(unit, event);
    if (reverb->open.target != open_target(reverb)) {
        bl_ramp_start(&reverb->open, open_target(reverb), io != NULL ? reverb->fade.frames : 0);
    }
}

BL_KIT(bl_reverb_unit, .process = bl_reverb_process, .change = change, .prepare = prepare,
       .finish = finish, .reset = reset, .create = create)

/* Frames until the last reflection, and until the all-passes that scatter it have decayed: 60 dB
   take 18 passes of the longest of them. */
static double last_reflection(const bl_reverb_geometry *geometry) BL_NONBLOCKING {
    uint32_t last = 0;
    for (uint32_t index = 0; index < 2 * BL_REVERB_REFLECTIONS; index += 1) {
        uint32_t frames = geometry->reflections[index % 2][index / 2];
        last = frames > last ? frames : last;
    }
    if (geometry->scattered > 0) {
        last += 18 * geometry->scatters[BL_REVERB_SCATTERS - 1];
    }
    return last;
}

/* The tail: the input spreads over the longest line, and then decays like the slowest part of the
   spectrum; the shimmer's feedback adds up to half of that, and the shifter's latency for each of
   its five octaves. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_reverb_unit *reverb = (const bl_reverb_unit *)unit;
    const bl_ramp *values = reverb->base.parameters;
    if (open_target(reverb) == 0) {
        return INFINITY;
    }
    const bl_reverb_geometry *geometry = &reverb->geometry;
    double shimmer = (double)values[BL_REVERB_SHIMMER].target * 0.01;
    double shifts = shimmer > 0 ? 5.0 * bl_vocoder_latency(&reverb->vocoder) : 0;
    double low = (double)values[BL_REVERB_LOW_DECAY].target;
    double late = geometry->pre_delay_frames + geometry->lines[BL_REVERB_LINES - 1] + shifts;
    for (uint32_t step = 0; step < BL_REVERB_STEPS; step += 1) {
        late += geometry->diffuser[step][BL_REVERB_CHANNELS - 1];
    }
    double decay = (double)values[BL_REVERB_DECAY].target * (low > 1 ? low : 1);
    return fmax(late / reverb->base.sample_rate + decay * (1 + 0.5 * shimmer),
                last_reflection(geometry) / reverb->base.sample_rate);
}

static const bl_channel_capability capabilities[] = {{-1, -1}, {1, 2}};

const bl_unit_descriptor bl_reverb = {
    BL_EFFECT('r', 'v', 'r', 'b'),
    .name = "Reverb",
    BL_TAGS("Reverb", "Space", "Guitar", "Voice", "Drums"),
    .summary = "Puts the sound into a room, a chamber, a hall or a plate",
    BL_CHANNEL_CAPABILITIES,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
