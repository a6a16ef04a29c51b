/* Sine instrument: plays notes as sines, or as sines cubed, which adds the third partial. */
#include "sine_instrument/sine_instrument.h"

#include "base/built_in.h"
#include "base/effect.h"
#include "dsp/declick.h"

static const char *const waveforms[] = {"Sine", "Cubed Sine", NULL};
/* At 0, the rate is not heard. */
static const char *const of_vibrato_depth[] = {"vibrato.rate", NULL};
static const bl_parameter_group_info groups[] = {{"envelope", "Envelope"}, {"vibrato", "Vibrato"}};

static const bl_parameter_info parameters[BL_SINE_PARAMETER_COUNT] = {
    [BL_SINE_WAVEFORM] = {"waveform", NULL, "Waveform", BL_UNIT_INDEXED, 0, 1, 0, BL_CURVE_LINEAR,
                          BL_PARAMETER_STEPPED_FLAGS, .value_strings = waveforms,
                          .overview_rank = 4},
    /* Six of the hardest strokes stay within full scale. */
    [BL_SINE_LEVEL] = {"level", NULL, "Level", BL_UNIT_DECIBELS, -96, 12, -16, BL_CURVE_LINEAR,
                       BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    /* A changed time applies when its stage next begins; a changed sustain, from the next note. */
    [BL_SINE_ATTACK] = {"attack", "envelope", "Attack", BL_UNIT_SECONDS, 0.001f, 10, 0.005f,
                        BL_CURVE_LOGARITHMIC, BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 2},
    [BL_SINE_DECAY] = {"decay", "envelope", "Decay", BL_UNIT_SECONDS, 0.001f, 10, 0.4f,
                       BL_CURVE_LOGARITHMIC, BL_PARAMETER_STEPPED_FLAGS},
    [BL_SINE_SUSTAIN] = {"sustain", "envelope", "Sustain", BL_UNIT_PERCENT, 0, 100, 70,
                         BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS},
    [BL_SINE_RELEASE] = {"release", "envelope", "Release", BL_UNIT_SECONDS, 0.001f, 10, 0.25f,
                         BL_CURVE_LOGARITHMIC, BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 3},
    [BL_SINE_BEND_RANGE] = {"bend_range", NULL, "Bend Range", BL_UNIT_SEMITONES, 0, 24, 2,
                            BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS},
    [BL_SINE_VIBRATO_RATE] = {"rate", "vibrato", "Vibrato Rate", BL_UNIT_HERTZ, 0.1f, 20, 5.5f,
                              BL_CURVE_LOGARITHMIC, BL_PARAMETER_STEPPED_FLAGS},
    /* With the modulation wheel all the way up. */
    [BL_SINE_VIBRATO_DEPTH] = {"depth", "vibrato", "Vibrato Depth", BL_UNIT_CENTS, 0, 100, 40,
                               BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS,
                               .dependent_parameters = of_vibrato_depth},
};

#define PRESET(name, waveform, level, attack, decay, sustain, release)                             \
    BL_PRESET(name, {BL_SINE_WAVEFORM, waveform}, {BL_SINE_LEVEL, level},                          \
              {BL_SINE_ATTACK, attack}, {BL_SINE_DECAY, decay}, {BL_SINE_SUSTAIN, sustain},        \
              {BL_SINE_RELEASE, release})

static const bl_factory_preset presets[] = {
    PRESET("Test Tone", 0, -18, 0.005f, 0.01f, 100, 0.01f),
    PRESET("Flute Stop", 0, -12, 0.04f, 0.1f, 100, 0.09f),
    PRESET("Cubed Organ", 1, -12, 0.006f, 0.08f, 90, 0.06f),
    PRESET("Slow Pad", 1, -14, 1.2f, 2, 80, 2.5f),
    PRESET("Mallet", 1, -9, 0.002f, 0.7f, 0, 0.3f),
    PRESET("Sub Bass", 0, -8, 0.006f, 0.3f, 85, 0.08f),
};

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    bl_unit *unit = bl_unit_base_create(descriptor, sizeof(bl_sine_unit));
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    if (sine != NULL) {
        sine->keys.actions = &bl_sine_actions;
        sine->keys.tuning = &sine->tuning;
        sine->keys.voices = sine->key_voices;
        sine->keys.slot_count = BL_SINE_SLOTS;
        sine->keys.polyphony = BL_SINE_POLYPHONY;
        bl_tuning_begin(&sine->tuning);
    }
    return unit;
}

static void destroy(bl_unit *unit) {
    bl_tuning_end(&((bl_sine_unit *)unit)->tuning);
    bl_unit_base_destroy(unit);
}

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    return bl_tuning_set_property(&((bl_sine_unit *)unit)->tuning, index, value, message,
                                  message_size);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    bl_unit_base_finish_ramps(&sine->base);
    sine->phase_scale = bl_phase_scale(sine->base.sample_rate);
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        sine->voices[slot] = (bl_sine_voice){.stage = BL_STAGE_FREE};
    }
    bl_keys_reset(&sine->keys);
    sine->vibrato = 0;
    bl_ramp_set(&sine->cubed, sine->base.parameters[BL_SINE_WAVEFORM].target);
}

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    bl_unit_base_set_parameter(unit, address, value);
    bl_ramp_set(&sine->cubed, sine->base.parameters[BL_SINE_WAVEFORM].target);
    if (BL_PARAMETER_INDEX(address) == BL_SINE_BEND_RANGE && sine->base.sample_rate > 0) {
        bl_keys_tune(&sine->keys, unit);
    }
}

static void apply(bl_sine_unit *sine, const bl_event *event) BL_NONBLOCKING {
    if (event->type == BL_EVENT_MIDI) {
        bl_keys_receive(&sine->keys, (bl_unit *)sine, &event->midi);
        return;
    }
    bl_unit_base_apply(&sine->base, event);
    float cubed = sine->base.parameters[BL_SINE_WAVEFORM].target >= 0.5f ? 1 : 0;
    bl_declick(&sine->cubed, cubed, sine->base.sample_rate);
    if (event->type != BL_EVENT_SYSTEM_EXCLUSIVE &&
        BL_PARAMETER_INDEX(event->parameter.address) == BL_SINE_BEND_RANGE) {
        bl_keys_tune(&sine->keys, (bl_unit *)sine);
    }
}

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    (void)flags;
    (void)host;
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    bl_status status = bl_render_check(&sine->base, frames, bus);
    if (status != BL_OK) {
        return status;
    }
    if (bl_tuning_update(&sine->tuning)) {
        bl_keys_tune(&sine->keys, unit);
    }
    bl_unit_base_provide_output(&sine->base, output);
    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            apply(sine, event);
        }
        bl_sine_process(sine, output->channels[0] + segment.first_frame, segment.frame_count);
    }
    for (uint32_t channel = 1; channel < output->channel_count; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            output->channels[channel][frame] = output->channels[0][frame];
        }
    }
    return BL_OK;
}

/* The release of the last note. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    return ((const bl_unit_base *)unit)->parameters[BL_SINE_RELEASE].target;
}

enum { KEYS = 128 };

/* How loud each key sounds, 0 to 1. */
static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    (void)index;
    const bl_sine_unit *sine = (const bl_sine_unit *)unit;
    for (uint32_t key = 0; key < KEYS; key += 1) {
        values[key] = 0;
    }
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        const bl_sine_voice *voice = &sine->voices[slot];
        if (voice->stage != BL_STAGE_FREE) {
            float level = bl_sine_envelope(voice) * voice->velocity;
            float *value = &values[sine->key_voices[slot].note];
            *value = level > *value ? level : *value;
        }
    }
    return KEYS;
}

static const bl_telemetry_info telemetry[] = {{"notes", "Notes", BL_TELEMETRY_CURVE, KEYS}};
static const char *const tags[] = {"Synthesizer", "Keyboard", "Utility", NULL};
static const bl_bus_info output_busses[] = {{"output", 2, 0}};
static const bl_property_info properties[] = {BL_TUNING_PROPERTIES};
static const bl_channel_capability capabilities[] = {{0, 1}, {0, 2}};

const bl_unit_descriptor bl_sine_instrument = {
    BL_BUILT_IN(BL_TYPE_INSTRUMENT, 's', 'i', 'n', 'e'),
    .name = "Sine Instrument",
    .summary = "Plays up to sixteen notes as sines, or as sines cubed",
    .flags = BL_UNIT_MIDI_INPUT | BL_UNIT_SUPPORTS_MPE,
    .output_busses = output_busses,
    .output_bus_count = 1,
    BL_CHANNEL_CAPABILITIES,
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .properties = properties,
    .property_count = sizeof properties / sizeof properties[0],
    .destroy = destroy,
    .deallocate_render_resources = bl_unit_base_deallocate,
    .set_property = set_property,
    .set_parameter = set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .telemetry = telemetry,
    .telemetry_count = 1,
    .read_telemetry = read_telemetry,
    .allocate_render_resources = bl_unit_base_allocate_and_reset,
    .tail_time = tail_time,
};
