/* Convolver: the sound of a room or a device, from a file with its impulse response. */

#include "base/built_in.h"
#include "convolver/convolver_unit.h"
#include "dsp/crossfade.h"
#include "dsp/decibels.h"
#include "dsp/equal_power.h"
#include "dsp/note_length.h"
#include "dsp/ring.h"

enum {
    START,
    LENGTH,
    DECAY,
    REVERSE,
    NORMALISE,
    PRE_DELAY,
    SYNC,
    LOW_CUT,
    HIGH_CUT,
    GAIN,
    MIX,
    PARAMETER_COUNT
};

#define LONGEST_PRE_DELAY 0.5 /* seconds */
/* The crossfade time of a changed pre-delay, seconds. */
#define CROSSFADE_TIME 0.05

static const char *const level_names[] = {"Off", "Energy", "Loudness", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [START] = BL_SETTING("start", "Start", PERCENT, LINEAR, 0, 95, 0, 0),
    [LENGTH] = BL_SETTING("length", "Length", PERCENT, LINEAR, 1, 100, 100, 2),
    [DECAY] = BL_SETTING("decay", "Decay", DECIBELS, LINEAR, -60, 0, 0, 0),
    [REVERSE] = BL_OFF_ON("reverse", "Reverse", 0, 0),
    [NORMALISE] = BL_CHOICE("normalise", "Normalise", level_names, BL_RESPONSE_ENERGY, 0),
    [PRE_DELAY] = BL_KNOB("pre_delay", "Pre-Delay", MILLISECONDS, SQUARED, 0,
                          (float)(1000 * LONGEST_PRE_DELAY), 0, 3),
    [SYNC] = BL_CHOICE("sync", "Sync", bl_note_sync_names, 0, 0, BL_DEPENDENTS("pre_delay")),
    [LOW_CUT] = BL_LOW_CUT_PARAMETER(BL_LOW_CUT_OFF, 4),
    [HIGH_CUT] = BL_HIGH_CUT_PARAMETER(BL_HIGH_CUT_OFF, 5),
    [GAIN] = BL_KNOB("gain", "Gain", DECIBELS, LINEAR, -48, 24, 0, 6),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 25, 1),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Wet Only", {MIX, 100}),
    BL_PRESET("Vocal Space", {MIX, 18}, {PRE_DELAY, 30}, {LOW_CUT, 180}, {HIGH_CUT, 9000}),
    BL_PRESET("Drum Space", {MIX, 22}, {LENGTH, 50}, {LOW_CUT, 80}),
    BL_PRESET("Dark", {MIX, 30}, {HIGH_CUT, 2500}),
    BL_PRESET("Early Only", {MIX, 35}, {LENGTH, 8}),
    BL_PRESET("Late Only", {MIX, 30}, {START, 10}),
    BL_PRESET("Backwards", {MIX, 50}, {REVERSE, 1}),
    BL_PRESET("Impulse As Is", {MIX, 100}, {NORMALISE, 0}),
};

typedef struct convolver_unit {
    bl_convolver_unit common;
    bl_ring_clock clock;
    float *rings; /* the input's rings for the pre-delay: input channels × (mask + 1) */
    uint32_t mask;
    uint32_t delay, next_delay; /* frames; the next fades in */
    bl_crossfade fade;
} convolver_unit;

static bool create(bl_unit *unit) {
    bl_convolver_create(unit, 1, false);
    return true;
}

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    bl_convolver_slot *slot = &((convolver_unit *)unit)->common.slots[0];
    switch (index) {
    case 0: return bl_convolver_slot_open(slot, value, message, message_size);
    case 1: return bl_convolver_slot_stretch(slot, value, message, message_size);
    default: return BL_ERROR_NO_SUCH_ELEMENT;
    }
}

static bl_response_trim wanted_trim(const convolver_unit *convolver) BL_NONBLOCKING {
    const bl_ramp *values = convolver->common.base.parameters;
    return (bl_response_trim){
        .start = values[START].target * 0.01f,
        .length = values[LENGTH].target * 0.01f,
        .longest = BL_RESPONSE_LONGEST,
        .decay = values[DECAY].target,
        .reverse = values[REVERSE].target >= 0.5f,
        .level = (bl_response_level)values[NORMALISE].target,
    };
}

/* The pre-delay in frames, as set or by the tempo. */
static uint32_t wanted_delay(const convolver_unit *convolver) BL_NONBLOCKING {
    const bl_ramp *values = convolver->common.base.parameters;
    double seconds =
        bl_synced_seconds(values[SYNC].target, (double)bl_ramp_value(&values[PRE_DELAY], 0) * 0.001,
                          convolver->common.base.quarter, LONGEST_PRE_DELAY);
    return (uint32_t)(seconds * convolver->common.base.sample_rate + 0.5);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    convolver_unit *convolver = (convolver_unit *)unit;
    bl_response_trim trim = wanted_trim(convolver);
    bl_convolver_reset(unit, &trim);
    bl_ring_empty(&convolver->clock);
    convolver->delay = wanted_delay(convolver);
    convolver->fade.left = 0;
}

static bl_status prepare(bl_unit *unit) {
    convolver_unit *convolver = (convolver_unit *)unit;
    bl_status status = bl_convolver_prepare(unit);
    if (status != BL_OK) {
        return status;
    }
    double rate = convolver->common.base.sample_rate;
    convolver->mask =
        bl_ring_capacity((uint32_t)(LONGEST_PRE_DELAY * rate) + 2, BL_PARTITION_TICK) - 1;
    convolver->rings = bl_kit_memory(
        unit, convolver->common.base.input_channel_count * ((size_t)convolver->mask + 1),
        sizeof(float));
    if (convolver->rings == NULL) {
        bl_convolver_finish(unit);
        return BL_ERROR_OUT_OF_MEMORY;
    }
    convolver->fade.frames = (uint32_t)(CROSSFADE_TIME * rate);
    return BL_OK;
}

/* Frames processed at once. */
BL_INLINE uint32_t stretch_frames(convolver_unit *convolver, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *values = convolver->common.base.parameters;
    if (convolver->fade.left == 0 && wanted_delay(convolver) != convolver->delay) {
        convolver->next_delay = wanted_delay(convolver);
        bl_crossfade_begin(&convolver->fade);
    }
    frames = bl_convolver_frames(&convolver->common, frames);
    if (convolver->fade.left > 0) {
        return bl_crossfade_before_end(&convolver->fade, frames);
    }
    return bl_ramp_is_moving(&values[PRE_DELAY]) ? 1 : frames;
}

/* Copies the input after the pre-delay. */
BL_INLINE void delay_input(const convolver_unit *convolver, const float *ring, float *delayed,
                           uint32_t frames) BL_NONBLOCKING {
    bl_ring_read(ring, convolver->mask, &convolver->clock, convolver->delay, delayed, frames);
    if (convolver->fade.left == 0) {
        return;
    }
    float next[BL_PARTITION_TICK];
    bl_ring_read(ring, convolver->mask, &convolver->clock, convolver->next_delay, next, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float left = bl_sine_of_quarter_turns(bl_crossfade_left(&convolver->fade, frame));
        delayed[frame] = bl_crossfade_mix(next[frame], delayed[frame], left * left, BL_CORRELATED);
    }
}

/* Mixes wet and dry at equal power; only all dry and all wet keep their levels. */
BL_INLINE void mix(const convolver_unit *convolver, const float *dry, const float *wet, float *to,
                   uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *values = convolver->common.base.parameters;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_shares shares = bl_equal_power(bl_ramp_value(&values[MIX], frame));
        float gain = bl_decibels_to_gain(bl_ramp_value(&values[GAIN], frame));
        to[frame] = shares.dry * dry[frame] + shares.wet * gain * wet[frame];
    }
}

BL_INLINE void advance(convolver_unit *convolver, uint32_t frames) BL_NONBLOCKING {
    bl_convolver_advance(&convolver->common, frames);
    bl_ring_advance(&convolver->clock, frames);
    if (bl_crossfade_advance(&convolver->fade, frames)) {
        convolver->delay = convolver->next_delay;
    }
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    convolver_unit *convolver = (convolver_unit *)unit;
    uint32_t inputs = convolver->common.base.input_channel_count;
    uint32_t outputs = convolver->common.base.output_channel_count;
    bl_convolver_block dry, delayed, wet;
    uint32_t count;
    for (uint32_t done = 0; done < frames; done += count) {
        count = stretch_frames(convolver, frames - done);
        bl_convolver_copy_input(&convolver->common, io->input, first_frame + done, count, dry);
        for (uint32_t channel = 0; channel < inputs; channel += 1) {
            float *ring = convolver->rings + channel * ((size_t)convolver->mask + 1);
            bl_ring_write(ring, convolver->mask, &convolver->clock, dry[channel], count);
            delay_input(convolver, ring, delayed[channel], count);
        }
        bl_response_trim trim = wanted_trim(convolver);
        bl_convolver_convolve(&convolver->common, 0, &trim, delayed, wet, count);
        bl_convolver_cut(&convolver->common, LOW_CUT, HIGH_CUT, wet, count);
        for (uint32_t channel = 0; channel < outputs; channel += 1) {
            mix(convolver, dry[bl_fewer(channel, inputs - 1)], wet[channel],
                io->output[channel] + first_frame + done, count);
        }
        advance(convolver, count);
    }
}

BL_KIT(convolver_unit, .process = process, .prepare = prepare, .finish = bl_convolver_finish,
       .reset = reset, .create = create, .destroy = bl_convolver_destroy)

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const convolver_unit *convolver = (const convolver_unit *)unit;
    return bl_convolver_tail(&convolver->common) +
           convolver->delay / convolver->common.base.sample_rate;
}

static const bl_channel_capability capabilities[] = {{1, 1}, {1, 2}, {2, 2}};
static const bl_property_info properties[] = {{"file", "Impulse Response", BL_PROPERTY_PATH, 0},
                                              {"stretch", "Stretch", BL_PROPERTY_TEXT, 0}};
static const bl_telemetry_info telemetry[] = {
    {"response", "Impulse Response", BL_TELEMETRY_CURVE, BL_RESPONSE_SHOWN}};

const bl_unit_descriptor bl_convolver = {
    BL_EFFECT('c', 'o', 'n', 'v'),
    .name = "Convolver",
    BL_TAGS("Convolution", "Reverb", "Space"),
    .summary = "Puts the sound into the place whose impulse response a file holds",
    BL_CONVOLVER_DESCRIPTOR,
    .tail_time = tail_time,
};
