/* Velocity curve: how hard a key seems to have been struck. */
#include <math.h>

#include "base/built_in.h"
#include "base/midi_processor.h"

enum { PARAMETER_CURVE, PARAMETER_MINIMUM, PARAMETER_MAXIMUM, PARAMETER_FIXED, PARAMETER_COUNT };

#define HELD (BL_PARAMETER_READABLE | BL_PARAMETER_WRITABLE)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    /* Above 0 soft strokes become louder, below 0 softer. */
    [PARAMETER_CURVE] = {.identifier = "curve",
                         .name = "Curve",
                         .unit = BL_UNIT_PERCENT,
                         .minimum = -100,
                         .maximum = 100,
                         .default_value = 0,
                         .flags = HELD,
                         .overview_rank = 1},
    /* What the softest stroke becomes; above the maximum, hard and soft change places. */
    [PARAMETER_MINIMUM] = {.identifier = "minimum",
                           .name = "Minimum",
                           .unit = BL_UNIT_GENERIC,
                           .minimum = 1,
                           .maximum = 127,
                           .default_value = 1,
                           .flags = HELD,
                           .overview_rank = 2},
    [PARAMETER_MAXIMUM] = {.identifier = "maximum",
                           .name = "Maximum",
                           .unit = BL_UNIT_GENERIC,
                           .minimum = 1,
                           .maximum = 127,
                           .default_value = 127,
                           .flags = HELD,
                           .overview_rank = 3},
    /* Every note has the maximum. */
    [PARAMETER_FIXED] = {.identifier = "fixed",
                         .name = "Fixed",
                         .unit = BL_UNIT_BOOLEAN,
                         .minimum = 0,
                         .maximum = 1,
                         .default_value = 0,
                         .flags = HELD},
};

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    return bl_unit_base_create(descriptor, sizeof(bl_unit_base));
}

static void reset(bl_unit *unit) BL_NONBLOCKING { bl_unit_base_finish_ramps((bl_unit_base *)unit); }

/* minimum + (maximum - minimum) x^g for x from 0 to 1, with g from 4 (curve -100 %) over 1 to a
   quarter (100 %). */
static uint8_t curved(const bl_unit_base *base, uint8_t velocity) BL_NONBLOCKING {
    float minimum = base->parameters[PARAMETER_MINIMUM].target;
    float maximum = base->parameters[PARAMETER_MAXIMUM].target;
    float exponent = exp2f(base->parameters[PARAMETER_CURVE].target * -0.02f);
    float force = powf((float)(velocity - 1) / 126.0f, exponent);
    if (base->parameters[PARAMETER_FIXED].target >= 0.5f) {
        force = 1;
    }
    return (uint8_t)lrintf(minimum + (maximum - minimum) * force);
}

static void receive(bl_unit *unit, const bl_midi_cycle *cycle, int64_t time,
                    const bl_midi_event *message) BL_NONBLOCKING {
    if (bl_midi_is_note_on(message)) {
        bl_midi_processor_send(cycle, time, message->bytes[0], message->bytes[1],
                               curved((const bl_unit_base *)unit, message->bytes[2]));
    } else {
        bl_midi_processor_pass(cycle, time, message);
    }
}

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    (void)flags, (void)output;
    return bl_midi_processor_render(unit, timestamp, frames, bus, events, host, receive,
                                    bl_midi_processor_change, NULL);
}

static const char *const tags[] = {"MIDI", "Dynamics", NULL};

static const bl_preset_value softer[] = {{PARAMETER_CURVE, -40}};
static const bl_preset_value harder[] = {{PARAMETER_CURVE, 40}};
static const bl_preset_value organ[] = {{PARAMETER_FIXED, 1}, {PARAMETER_MAXIMUM, 100}};
static const bl_factory_preset presets[] = {
    {"Heavy Hands", softer, 1}, {"Light Hands", harder, 1}, {"Organ", organ, 2}};

const bl_unit_descriptor bl_velocity_curve = {
    BL_BUILT_IN(BL_TYPE_MIDI_PROCESSOR, 'v', 'e', 'l', 'o'),
    .name = "Velocity Curve",
    .summary = "Fits how hard keys are struck to the player's hands",
    .tags = tags,
    .flags = BL_UNIT_MIDI_INPUT | BL_UNIT_MIDI_OUTPUT,
    .parameters = parameters,
    .parameter_count = PARAMETER_COUNT,
    .factory_presets = presets,
    .factory_preset_count = sizeof presets / sizeof presets[0],
    .create = create,
    .destroy = bl_unit_base_destroy,
    .set_parameter = bl_unit_base_set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .allocate_render_resources = bl_midi_processor_allocate,
    .deallocate_render_resources = bl_unit_base_deallocate,
    .reset = reset,
    .render = render,
};
