/* Sine instrument: plays notes as sines, or as sines cubed, which adds the third partial. */
#include "sine_instrument/sine_instrument.h"

#include "base/built_in.h"
#include "base/effect.h"
#include "dsp/declick.h"

#define HELD (BL_PARAMETER_READABLE | BL_PARAMETER_WRITABLE)

static const char *const waveforms[] = {"Sine", "Cubed Sine", NULL};
/* At 0, the rate is not heard. */
static const char *const of_vibrato_depth[] = {"vibrato.rate", NULL};
static const bl_parameter_group_info groups[] = {{"envelope", "Envelope"}, {"vibrato", "Vibrato"}};

static const bl_parameter_info parameters[BL_SINE_PARAMETER_COUNT] = {
    [BL_SINE_WAVEFORM] = {.identifier = "waveform",
                          .name = "Waveform",
                          .unit = BL_UNIT_INDEXED,
                          .minimum = 0,
                          .maximum = 1,
                          .flags = HELD,
                          .value_strings = waveforms,
                          .overview_rank = 4},
    [BL_SINE_LEVEL] = {.identifier = "level",
                       .name = "Level",
                       .unit = BL_UNIT_DECIBELS,
                       .minimum = -96,
                       .maximum = 12,
                       .default_value = -12,
                       .flags = BL_PARAMETER_DEFAULT_FLAGS,
                       .overview_rank = 1},
    /* Those of the envelope count from the moment when their stage begins; sustain, from the note's
       beginning. */
    [BL_SINE_ATTACK] = {.identifier = "attack",
                        .group = "envelope",
                        .name = "Attack",
                        .unit = BL_UNIT_SECONDS,
                        .minimum = 0.001f,
                        .maximum = 10,
                        .default_value = 0.005f,
                        .curve = BL_CURVE_LOGARITHMIC,
                        .flags = HELD,
                        .overview_rank = 2},
    [BL_SINE_DECAY] = {.identifier = "decay",
                       .group = "envelope",
                       .name = "Decay",
                       .unit = BL_UNIT_SECONDS,
                       .minimum = 0.001f,
                       .maximum = 10,
                       .default_value = 0.4f,
                       .curve = BL_CURVE_LOGARITHMIC,
                       .flags = HELD},
    [BL_SINE_SUSTAIN] = {.identifier = "sustain",
                         .group = "envelope",
                         .name = "Sustain",
                         .unit = BL_UNIT_PERCENT,
                         .minimum = 0,
                         .maximum = 100,
                         .default_value = 70,
                         .flags = HELD},
    [BL_SINE_RELEASE] = {.identifier = "release",
                         .group = "envelope",
                         .name = "Release",
                         .unit = BL_UNIT_SECONDS,
                         .minimum = 0.001f,
                         .maximum = 10,
                         .default_value = 0.25f,
                         .curve = BL_CURVE_LOGARITHMIC,
                         .flags = HELD,
                         .overview_rank = 3},
    [BL_SINE_BEND_RANGE] = {.identifier = "bend_range",
                            .name = "Bend Range",
                            .unit = BL_UNIT_SEMITONES,
                            .minimum = 0,
                            .maximum = 24,
                            .default_value = 2,
                            .flags = HELD},
    [BL_SINE_VIBRATO_RATE] = {.identifier = "rate",
                              .group = "vibrato",
                              .name = "Vibrato Rate",
                              .unit = BL_UNIT_HERTZ,
                              .minimum = 0.1f,
                              .maximum = 20,
                              .default_value = 5.5f,
                              .curve = BL_CURVE_LOGARITHMIC,
                              .flags = HELD},
    /* With the modulation wheel all the way up. */
    [BL_SINE_VIBRATO_DEPTH] = {.identifier = "depth",
                               .group = "vibrato",
                               .name = "Vibrato Depth",
                               .unit = BL_UNIT_CENTS,
                               .minimum = 0,
                               .maximum = 100,
                               .default_value = 40,
                               .flags = HELD,
                               .dependent_parameters = of_vibrato_depth},
};

#define VALUES(waveform, level, attack, decay, sustain, release)                                   \
    ((const bl_preset_value[]){{BL_SINE_WAVEFORM, waveform},                                       \
                               {BL_SINE_LEVEL, level},                                             \
                               {BL_SINE_ATTACK, attack},                                           \
                               {BL_SINE_DECAY, decay},                                             \
                               {BL_SINE_SUSTAIN, sustain},                                         \
                               {BL_SINE_RELEASE, release}})
#define PRESET(name, ...)                                                                          \
    { name, VALUES(__VA_ARGS__), 6 }

static const bl_factory_preset presets[] = {
    PRESET("Test Tone", 0, -18, 0.005f, 0.01f, 100, 0.01f),
    PRESET("Flute Stop", 0, -12, 0.04f, 0.1f, 100, 0.09f),
    PRESET("Cubed Organ", 1, -12, 0.006f, 0.08f, 90, 0.06f),
    PRESET("Slow Pad", 1, -14, 1.2f, 2, 80, 2.5f),
    PRESET("Mallet", 1, -9, 0.002f, 0.7f, 0, 0.3f),
    PRESET("Sub Bass", 0, -8, 0.006f, 0.3f, 85, 0.08f),
};

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    return bl_unit_base_create(descriptor, sizeof(bl_sine_unit));
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    bl_unit_base_finish_ramps(&sine->base);
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        sine->voices[slot] = (bl_sine_voice){.stage = BL_STAGE_FREE};
    }
    bl_sine_reset_channels(sine);
    sine->order = 0;
    sine->vibrato = 0;
    bl_ramp_set(&sine->cubed, sine->base.parameters[BL_SINE_WAVEFORM].target);
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status == BL_OK) {
        ((bl_sine_unit *)unit)->phase_scale = bl_phase_scale(configuration->sample_rate);
        reset(unit);
    }
    return status;
}

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    bl_unit_base_set_parameter(unit, address, value);
    bl_ramp_set(&sine->cubed, sine->base.parameters[BL_SINE_WAVEFORM].target);
    if (BL_PARAMETER_INDEX(address) == BL_SINE_BEND_RANGE && sine->base.sample_rate > 0) {
        bl_sine_tune(sine);
    }
}

static void apply(bl_sine_unit *sine, const bl_event *event) BL_NONBLOCKING {
    if (event->type == BL_EVENT_MIDI) {
        bl_sine_receive(sine, &event->midi);
        return;
    }
    bl_unit_base_apply(&sine->base, event);
    float cubed = sine->base.parameters[BL_SINE_WAVEFORM].target >= 0.5f ? 1 : 0;
    bl_declick(&sine->cubed, cubed, sine->base.sample_rate);
    if (event->type != BL_EVENT_SYSTEM_EXCLUSIVE &&
        BL_PARAMETER_INDEX(event->parameter.address) == BL_SINE_BEND_RANGE) {
        bl_sine_tune(sine);
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

/* What sounds on after the last key and the pedal are up. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    return ((const bl_unit_base *)unit)->parameters[BL_SINE_RELEASE].target;
}

static const char *const tags[] = {"Synthesizer", "Keyboard", NULL};
static const bl_bus_info output_busses[] = {{"output", 2, 0}};
static const bl_channel_capability capabilities[] = {{0, 1}, {0, 2}};

const bl_unit_descriptor bl_sine_instrument = {
    BL_BUILT_IN(BL_TYPE_INSTRUMENT, 's', 'i', 'n', 'e'),
    .name = "Sine Instrument",
    .summary = "Plays up to sixteen notes as sines, or as sines cubed",
    .tags = tags,
    .flags = BL_UNIT_MIDI_INPUT | BL_UNIT_SUPPORTS_MPE,
    .output_busses = output_busses,
    .output_bus_count = 1,
    .channel_capabilities = capabilities,
    .channel_capability_count = sizeof capabilities / sizeof capabilities[0],
    .parameters = parameters,
    .parameter_count = BL_SINE_PARAMETER_COUNT,
    .parameter_groups = groups,
    .parameter_group_count = sizeof groups / sizeof groups[0],
    .factory_presets = presets,
    .factory_preset_count = sizeof presets / sizeof presets[0],
    .create = create,
    .destroy = bl_unit_base_destroy,
    .set_parameter = set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .allocate_render_resources = allocate,
    .deallocate_render_resources = bl_unit_base_deallocate,
    .reset = reset,
    .render = render,
    .tail_time = tail_time,
};
