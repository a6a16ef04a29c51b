/* MIDI to control: a controller, the wheel, a key or its pressure, as a modulation output. */
#include <math.h>

#include "base/built_in.h"
#include "base/channel_names.h"
#include "base/generator.h"

enum { SOURCE, CONTROLLER, CHANNEL, SMOOTHING, PARAMETER_COUNT };
typedef enum control_source {
    SOURCE_CONTROLLER,
    SOURCE_BEND,
    SOURCE_KEY,
    SOURCE_VELOCITY,
    SOURCE_CHANNEL_PRESSURE,
    SOURCE_KEY_PRESSURE
} control_source;

static const char *const sources[] = {"Controller",       "Pitch Bend",   "Key", "Velocity",
                                      "Channel Pressure", "Key Pressure", NULL};
static const char *const channels[] = {"Any", BL_CHANNEL_NAMES, NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [SOURCE] = BL_CHOICE("source", "Source", sources, 0, 1, BL_DEPENDENTS("controller")),
    [CONTROLLER] = BL_SETTING("controller", "Controller", MIDI_CONTROLLER, LINEAR, 0, 127,
                              BL_MODULATION_WHEEL, 2),
    [CHANNEL] = BL_CHOICE("channel", "Channel", channels, 0, 3),
    /* The time of a linear ramp to a new value. */
    [SMOOTHING] = BL_SETTING("smoothing", "Smoothing", MILLISECONDS, SQUARED, 0, 2000, 20, 4),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Modulation Wheel", {CONTROLLER, BL_MODULATION_WHEEL}),
    BL_PRESET("Breath", {CONTROLLER, 2}),
    BL_PRESET("Expression Pedal", {CONTROLLER, BL_EXPRESSION}),
    BL_PRESET("Pitch Wheel", {SOURCE, SOURCE_BEND}),
    BL_PRESET("Key Follow", {SOURCE, SOURCE_KEY}, {SMOOTHING, 0}),
    BL_PRESET("Velocity", {SOURCE, SOURCE_VELOCITY}, {SMOOTHING, 0}),
    BL_PRESET("Aftertouch", {SOURCE, SOURCE_CHANNEL_PRESSURE}, {SMOOTHING, 50}),
};

typedef struct control_unit {
    bl_unit_base base;
    bl_ramp value;
} control_unit;

static void reset(bl_unit *unit) BL_NONBLOCKING {
    control_unit *control = (control_unit *)unit;
    bl_ramp_set(&control->value, 0);
}

static uint32_t choice(const control_unit *control, uint32_t index) BL_NONBLOCKING {
    return (uint32_t)(control->base.parameters[index].target + 0.5f);
}

/* Whether the message has a value for the source; stores it in `value`. */
static bool read_message(const control_unit *control, const bl_midi_event *message,
                         float *value) BL_NONBLOCKING {
    control_source source = (control_source)choice(control, SOURCE);
    uint32_t controller = choice(control, CONTROLLER);
    const uint8_t *bytes = message->bytes;
    uint8_t status = bytes[0] & 0xF0;
    if (status == BL_CONTROLLER && bytes[1] == BL_RESET_ALL_CONTROLLERS) {
        uint8_t reset = 0;
        bool is_reset = source == SOURCE_CONTROLLER
                            ? bl_midi_is_reset(controller, &reset)
                            : source == SOURCE_BEND || source >= SOURCE_CHANNEL_PRESSURE;
        *value = (float)reset / 127.0f;
        return is_reset;
    }
    switch (source) {
    case SOURCE_CONTROLLER:
        *value = (float)bytes[2] / 127.0f;
        return status == BL_CONTROLLER && bytes[1] == controller;
    case SOURCE_BEND: *value = bl_midi_bend(message); return status == BL_PITCH_BEND;
    case SOURCE_KEY: *value = (float)bytes[1] / 127.0f; return bl_midi_is_note_on(message);
    case SOURCE_VELOCITY: *value = (float)bytes[2] / 127.0f; return bl_midi_is_note_on(message);
    case SOURCE_CHANNEL_PRESSURE:
        *value = (float)bytes[1] / 127.0f;
        return status == BL_CHANNEL_PRESSURE;
    default: *value = (float)bytes[2] / 127.0f; return status == BL_NOTE_PRESSURE;
    }
}

static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    (void)io;
    control_unit *control = (control_unit *)unit;
    const uint8_t *bytes = message->bytes;
    uint32_t channel = choice(control, CHANNEL);
    float value = 0;
    if (bytes[0] < BL_SYSTEM_EXCLUSIVE && (channel == 0 || (bytes[0] & 0x0Fu) == channel - 1) &&
        read_message(control, message, &value)) {
        double seconds = 0.001 * (double)control->base.parameters[SMOOTHING].target;
        bl_ramp_start(&control->value, value, (uint32_t)(seconds * control->base.sample_rate));
    }
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    bl_ramp_fill(&((control_unit *)unit)->value, io->output[0] + first_frame, frames);
}

BL_KIT(control_unit, .process = process, .midi = midi, .reset = reset)

const bl_unit_descriptor bl_midi_to_control = {
    BL_GENERATOR('m', 'c', 't', 'l'),
    .name = "MIDI to Control",
    BL_TAGS("Modulation", "Control", "MIDI"),
    .summary = "A controller, the wheel, a key or its pressure, to move parameters of other units",
    .flags = BL_UNIT_MIDI_INPUT,
    BL_FACTORY_PRESETS,
    .tail_time = bl_endless_tail_time,
};
