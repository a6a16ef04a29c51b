/* Delay: echoes, each a copy of the one before, softer and darker. */
#include "delay/delay.h"

#include <math.h>

#include "base/built_in.h"
#include "dsp/declick.h"
#include "dsp/note_length.h"

#define LONGEST_TIME 4.0
/* How long a moved time takes to come into force. Seconds */
#define CROSSFADE_TIME 0.03

/* Until a host says otherwise: 120 beats per minute. Seconds */
#define USUAL_QUARTER 0.5

static const char *const off_on[] = {"Off", "On", NULL};
static const char *const sync_names[] = {"Off", BL_NOTE_LENGTH_NAMES, NULL};
static const char *const sync_dependents[] = {"time", NULL};

static const bl_parameter_info parameters[BL_DELAY_PARAMETER_COUNT] = {
    [BL_DELAY_TIME] = {"time", NULL, "Time", BL_UNIT_SECONDS, 0.001f, (float)LONGEST_TIME, 0.375f,
                       BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    [BL_DELAY_FEEDBACK] = {"feedback", NULL, "Feedback", BL_UNIT_PERCENT, 0, 110, 35,
                           BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 3},
    [BL_DELAY_TONE] = {"tone", NULL, "Tone", BL_UNIT_HERTZ, 200, BL_TONE_OPEN, 8000,
                       BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 4},
    [BL_DELAY_MIX] = {"mix", NULL, "Mix", BL_UNIT_PERCENT, 0, 100, 35, BL_CURVE_LINEAR,
                      BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 2},
    [BL_DELAY_PING_PONG] = {"ping_pong", NULL, "Ping-Pong", BL_UNIT_BOOLEAN, 0, 1, 0,
                            BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .value_strings = off_on,
                            .overview_rank = 5},
    [BL_DELAY_SYNC] = {"sync", NULL, "Sync", BL_UNIT_INDEXED, 0, BL_NOTE_LENGTH_COUNT, 0,
                       BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .value_strings = sync_names,
                       .dependent_parameters = sync_dependents, .overview_rank = 6},
};

#define PRESET(name, time, feedback, tone, mix, ping_pong)                                         \
    BL_PRESET(name, {BL_DELAY_TIME, time}, {BL_DELAY_FEEDBACK, feedback}, {BL_DELAY_TONE, tone},   \
              {BL_DELAY_MIX, mix}, {BL_DELAY_PING_PONG, ping_pong})

static const bl_factory_preset presets[] = {
    PRESET("Slapback", 0.11f, 8, 6000, 35, 0),   PRESET("Doubler", 0.024f, 0, BL_TONE_OPEN, 50, 0),
    PRESET("Tape Echo", 0.33f, 48, 3200, 38, 0), PRESET("Ping-Pong", 0.3f, 55, 9000, 40, 1),
    PRESET("Dub", 0.56f, 78, 1800, 45, 0),       PRESET("Dotted Eighth", 0.375f, 42, 7000, 35, 0),
    PRESET("Long Wash", 1.2f, 70, 2500, 40, 1),  PRESET("Resonator", 0.0045f, 92, 7000, 50, 0),
    PRESET("Runaway", 0.45f, 106, 2600, 45, 1),
};

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    bl_unit *unit = bl_unit_base_create(descriptor, sizeof(bl_delay_unit));
    if (unit != NULL) {
        ((bl_delay_unit *)unit)->quarter = USUAL_QUARTER;
    }
    return unit;
}

/* A note that is too long for the line is halved until it fits: an octave lower is still in time.
 */
float bl_delay_seconds(const bl_delay_unit *delay) BL_NONBLOCKING {
    uint32_t sync = (uint32_t)delay->base.parameters[BL_DELAY_SYNC].target;
    if (sync == 0) {
        return bl_ramp_value(&delay->base.parameters[BL_DELAY_TIME], 0);
    }
    double seconds = delay->quarter * bl_note_length_quarters(sync - 1);
    for (uint32_t halvings = 0; seconds > LONGEST_TIME && halvings < 8; halvings += 1) {
        seconds *= 0.5;
    }
    return (float)seconds;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_delay_unit *delay = (bl_delay_unit *)unit;
    bl_unit_base_finish_ramps(&delay->base);
    bl_delay_empty(&delay->clock, delay->lines, delay->base.output_channel_count, delay->stride);
    delay->head = bl_delay_head_at(bl_delay_seconds(delay), delay->base.sample_rate, &delay->clock);
    delay->fade_left = 0;
    bl_ramp_set(&delay->crossing, delay->base.parameters[BL_DELAY_PING_PONG].target);
    delay->tone_clock = (bl_one_pole_clock){0};
    for (uint32_t channel = 0; channel < delay->base.output_channel_count; channel += 1) {
        delay->tones[channel] = (bl_one_pole){0};
    }
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_delay_unit *delay = (bl_delay_unit *)unit;
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status != BL_OK) {
        return status;
    }
    double rate = configuration->sample_rate;
    delay->clock = (bl_delay_clock){.capacity = (uint32_t)(LONGEST_TIME * rate) + BL_DELAY_MARGIN};
    delay->stride = delay->clock.capacity + BL_DELAY_GUARD;
    size_t floats = (size_t)delay->stride * delay->base.output_channel_count;
    delay->lines = bl_unit_base_memory(unit, floats, sizeof(float));
    if (delay->lines == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    delay->tone_scale = bl_one_pole_scale(rate);
    delay->fade_frames = (uint32_t)(CROSSFADE_TIME * rate);
    reset(unit);
    return BL_OK;
}

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_delay_unit *delay = (bl_delay_unit *)unit;
    bl_unit_base_set_parameter(unit, address, value);
    bl_ramp_set(&delay->crossing, delay->base.parameters[BL_DELAY_PING_PONG].target);
}

static void apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    bl_delay_unit *delay = (bl_delay_unit *)unit;
    bl_unit_base_apply(&delay->base, event);
    float crossing = delay->base.parameters[BL_DELAY_PING_PONG].target >= 0.5f ? 1 : 0;
    bl_declick(&delay->crossing, crossing, delay->base.sample_rate);
}

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    if (host->musical_context != NULL) {
        ((bl_delay_unit *)unit)->quarter = bl_quarter_seconds(host->musical_context);
    }
    return bl_effect_render(unit, flags, timestamp, frames, bus, output, events, host, apply,
                            bl_delay_process);
}

/* The first echo is as loud as the input, the next feedback times that, and so on to -60 dB. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_delay_unit *delay = (const bl_delay_unit *)unit;
    double feedback = delay->base.parameters[BL_DELAY_FEEDBACK].target * 0.01;
    double time = bl_delay_seconds(delay);
    if (feedback >= 1) {
        return INFINITY;
    }
    return feedback > 0 ? time * (1 + ceil(-3 / log10(feedback))) : time;
}

static const char *const tags[] = {"Delay", "Echo", "Time", "Guitar", "Voice", NULL};

const bl_unit_descriptor bl_delay = {
    BL_BUILT_IN(BL_TYPE_EFFECT, 'd', 'e', 'l', 'y'),
    .name = "Delay",
    .summary = "Echoes that grow softer and darker, and go from side to side if asked",
    BL_EFFECT_BUSSES,
    .factory_presets = presets,
    .factory_preset_count = sizeof presets / sizeof presets[0],
    .destroy = bl_unit_base_destroy,
    .set_parameter = set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .allocate_render_resources = allocate,
    .deallocate_render_resources = bl_unit_base_deallocate,
    .tail_time = tail_time,
};
