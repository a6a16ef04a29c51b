/* LFO: a slow wave, or slow random values, as a modulation output. */
#include "base/beat_lfo.h"
#include "base/built_in.h"
#include "base/generator.h"
#include "dsp/lfo_shape.h"

enum {
    SHAPE,
    RATE,
    SYNC,
    PHASE,
    FADE,
    ONE_SHOT,
    POLARITY,
    RETRIGGER_BY_NOTE,
    SEED,
    RETRIGGER,
    STEP1,
    STEPS = 16,
    PARAMETER_COUNT = STEP1 + STEPS
};
/* The drawn shape follows those that all LFOs have: equally long steps. */
enum { SHAPE_DRAWN = BL_LFO_SMOOTH_RANDOM + 1 };

static const char *const shapes[] = {BL_LFO_SHAPE_NAMES, "Drawn", NULL};
static const char *const polarities[] = {"Bipolar", "Unipolar", NULL};

#define STEP(number)                                                                               \
    BL_KNOB(#number, "Step " #number, PERCENT, LINEAR, -100, 100, 0, 0, .group = "steps")
#define ALL_STEPS                                                                                  \
    STEP(1), STEP(2), STEP(3), STEP(4), STEP(5), STEP(6), STEP(7), STEP(8), STEP(9), STEP(10),     \
        STEP(11), STEP(12), STEP(13), STEP(14), STEP(15), STEP(16)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [SHAPE] = BL_CHOICE("shape", "Shape", shapes, 0, 2),
    [RATE] = BL_KNOB("rate", "Rate", HERTZ, LOGARITHMIC, 0.001f, 50, 1, 1),
    [SYNC] = BL_CHOICE("sync", "Sync", bl_turns_sync_names, 0, 3, BL_DEPENDENTS("rate")),
    /* The phase at which the wave starts. */
    [PHASE] = BL_KNOB("phase", "Phase", DEGREES, LINEAR, 0, 360, 0, 4),
    /* The fade-in time of the wave, after each start. */
    [FADE] = BL_SETTING("fade", "Fade-In", SECONDS, SQUARED, 0, 60, 0, 7),
    /* A single turn after each start; its last value stays. */
    [ONE_SHOT] = BL_OFF_ON("one_shot", "One-Shot", 0, 8),
    [POLARITY] = BL_CHOICE("polarity", "Polarity", polarities, 0, 5),
    [RETRIGGER_BY_NOTE] = BL_OFF_ON("retrigger_by_note", "Retrigger by Note", 0, 9),
    [SEED] = BL_SETTING("seed", "Seed", GENERIC, LINEAR, 0, 9999, 1, 0),
    [RETRIGGER] = BL_BUTTON("retrigger", "Retrigger", 6, .value_strings = bl_off_on),
    [STEP1] = ALL_STEPS,
};

static const bl_parameter_group_info groups[] = {{"steps", "Steps"}};

static const bl_factory_preset presets[] = {
    BL_PRESET("Slow Sine", {RATE, 0.1f}),
    BL_PRESET("Vibrato", {RATE, 5.5f}, {FADE, 0.8f}, {RETRIGGER_BY_NOTE, 1}),
    BL_PRESET("One Bar", {SHAPE, BL_LFO_TRIANGLE}, {SYNC, 15}),
    BL_PRESET("Eight Bars Up", {SHAPE, BL_LFO_SAW_UP}, {SYNC, 18}, {POLARITY, 1}),
    BL_PRESET("Eighths", {SHAPE, BL_LFO_SQUARE}, {SYNC, 8}),
    BL_PRESET("Pumping Quarters", {SHAPE, BL_LFO_SAW_UP}, {SYNC, 11}, {POLARITY, 1}),
    BL_PRESET("Stepped Sixteenths", {SHAPE, BL_LFO_SAMPLE_AND_HOLD}, {SYNC, 5}),
    BL_PRESET("Drift", {SHAPE, BL_LFO_SMOOTH_RANDOM}, {RATE, 0.3f}),
    BL_PRESET("Rise Once", {SHAPE, BL_LFO_SAW_UP}, {RATE, 0.5f}, {ONE_SHOT, 1}, {POLARITY, 1},
              {RETRIGGER_BY_NOTE, 1}),
    BL_PRESET("Drawn Accents", {SHAPE, SHAPE_DRAWN}, {SYNC, 15}, {STEP1, 100}, {STEP1 + 3, 60},
              {STEP1 + 6, 80}, {STEP1 + 10, 100}, {STEP1 + 12, 50}, {STEP1 + 15, -60}),
};

typedef struct lfo_unit {
    bl_unit_base base;
    bl_beat_lfo lfo;
    bool triggered;    /* triggers at the next frame */
    uint32_t triggers; /* number since the reset */
    uint32_t age;      /* frames since the start; stops at its maximum */
} lfo_unit;

static void reset(bl_unit *unit) BL_NONBLOCKING {
    lfo_unit *lfo = (lfo_unit *)unit;
    lfo->lfo = (bl_beat_lfo){0};
    lfo->triggered = false;
    lfo->triggers = 0;
    lfo->age = 0;
}

static bool is_on(const lfo_unit *lfo, uint32_t index) BL_NONBLOCKING {
    return lfo->base.parameters[index].target >= 0.5f;
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    (void)io;
    lfo_unit *lfo = (lfo_unit *)unit;
    lfo->triggered = lfo->triggered || bl_kit_is_press(event, RETRIGGER);
    bl_kit_apply(unit, event);
}

static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    (void)io;
    lfo_unit *lfo = (lfo_unit *)unit;
    bool is_heard = bl_midi_is_note_on(message) && is_on(lfo, RETRIGGER_BY_NOTE);
    lfo->triggered = lfo->triggered || is_heard;
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    bl_turns_follow(&((lfo_unit *)unit)->lfo.turns, (const bl_unit_base *)unit, io);
}

/* The drawn shape at a phase, -1 to 1. */
BL_INLINE float drawn(const bl_ramp *ramps, uint32_t phase, uint32_t frame) BL_NONBLOCKING {
    return 0.01f * bl_ramp_value(&ramps[STEP1 + (phase >> 28)], frame);
}

/* Shifts turns so that the wave starts at its phase, and stays at its end after a single turn. */
BL_INLINE void shift(lfo_unit *lfo, bl_turn_stretch *stretch, uint32_t frames) BL_NONBLOCKING {
    bool once = is_on(lfo, ONE_SHOT);
    const bl_ramp *degrees = &lfo->base.parameters[PHASE];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bool over = once && stretch->numbers[frame] > 0;
        bl_phase phase = over ? UINT64_MAX : stretch->phases[frame];
        int64_t number = over ? 0 : stretch->numbers[frame];
        double ahead = (double)bl_ramp_value(degrees, frame) * (0x1p31 / 360);
        stretch->phases[frame] = phase + ((bl_phase)(int64_t)ahead << 33);
        stretch->numbers[frame] = number + (stretch->phases[frame] < phase);
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    lfo_unit *lfo = (lfo_unit *)unit;
    bl_ramp *ramps = lfo->base.parameters;
    if (lfo->triggered) {
        bl_beat_lfo_restart(&lfo->lfo, first_frame);
        lfo->triggered = false;
        lfo->triggers += 1;
        lfo->age = 0;
    }
    int shape = (int)(ramps[SHAPE].target + 0.5f);
    bool unipolar = is_on(lfo, POLARITY);
    uint64_t seed = (uint64_t)lfo->triggers << 32 | (uint32_t)ramps[SEED].target;
    float fade = ramps[FADE].target * (float)lfo->base.sample_rate;
    bl_turn_stretch stretch;
    for (uint32_t done = 0, count = 0; done < frames; done += count) {
        count = bl_fewer(frames - done, BL_CHUNK_FRAMES);
        bl_beat_lfo_turns(&lfo->lfo, &ramps[RATE], (uint32_t)ramps[SYNC].target,
                          !is_on(lfo, ONE_SHOT), bl_lfo_is_random((bl_lfo_shape)shape),
                          lfo->base.sample_rate, first_frame + done, &stretch, count);
        shift(lfo, &stretch, count);
        bl_ramp_advance(&ramps[PHASE], count);
        float *to = io->output[0] + first_frame + done;
        for (uint32_t frame = 0; frame < count; frame += 1) {
            uint32_t phase = bl_phase_top(stretch.phases[frame]);
            float value = shape == SHAPE_DRAWN ? drawn(ramps, phase, frame)
                                               : bl_lfo_shape_value((bl_lfo_shape)shape, phase,
                                                                    seed, stretch.numbers[frame]);
            value = unipolar ? 0.5f + 0.5f * value : value;
            float age = (float)(int32_t)lfo->age;
            to[frame] = age < fade ? value * (age / fade) : value;
            lfo->age += lfo->age < INT32_MAX;
        }
        bl_ramps_advance(&ramps[STEP1], STEPS, count);
    }
}

BL_KIT(lfo_unit, .process = process, .change = change, .midi = midi, .cycle = cycle, .reset = reset)

const bl_unit_descriptor bl_lfo = {
    BL_GENERATOR('l', 'f', 'o', 'm'),
    .name = "LFO",
    BL_TAGS("Modulation", "Control"),
    .summary = "A slow wave, or slow random values, that moves parameters of other units",
    .flags = BL_UNIT_MIDI_INPUT | BL_UNIT_MIDI_OPTIONAL,
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .tail_time = bl_endless_tail_time,
};
