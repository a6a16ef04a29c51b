/* Envelope: attack, hold, decay, sustain and release of keys, as a modulation output. */
#include "envelope/envelope.h"

#include "base/built_in.h"
#include "base/generator.h"

static const char *const modes[] = {"Retrigger", "Legato", NULL};

/* A stage's time. A changed decay, sustain or release applies at once, the others from the next
   stage. */
#define STAGE_TIME(id, name, usual, rank)                                                          \
    BL_SETTING(id, name, SECONDS, LOGARITHMIC, 0.001f, 20, usual, rank)
#define STAGE_SHARE(id, name, least, usual, rank)                                                  \
    BL_SETTING(id, name, PERCENT, LINEAR, least, 100, usual, rank)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [ATTACK] = STAGE_TIME("attack", "Attack", 0.01f, 1),
    [HOLD] = BL_SETTING("hold", "Hold", SECONDS, SQUARED, 0, 20, 0, 5),
    [DECAY] = STAGE_TIME("decay", "Decay", 0.3f, 2),
    [SUSTAIN] = STAGE_SHARE("sustain", "Sustain", 0, 70, 3),
    [RELEASE] = STAGE_TIME("release", "Release", 0.3f, 4),
    /* Above 0 a stage is faster first, like a charging capacitor; below 0, last. */
    [CURVE] = STAGE_SHARE("curve", "Curve", -100, 50, 6),
    /* The distance between the softest and the hardest key's peak. */
    [VELOCITY] = STAGE_SHARE("velocity", "Velocity", 0, 0, 7),
    [MODE] = BL_CHOICE("mode", "Mode", modes, 0, 8),
};

#define PRESET(name, attack, decay, sustain, release, ...)                                         \
    BL_PRESET(name, {ATTACK, attack}, {DECAY, decay}, {SUSTAIN, sustain}, {RELEASE, release},      \
              __VA_ARGS__)

static const bl_factory_preset presets[] = {
    PRESET("Pluck", 0.002f, 0.4f, 0, 0.2f, {VELOCITY, 60}),
    PRESET("Brass", 0.08f, 0.3f, 75, 0.15f, {VELOCITY, 40}),
    PRESET("Organ", 0.003f, 0.001f, 100, 0.03f, {CURVE, 0}),
    PRESET("Slow Swell", 2, 1, 100, 3, {CURVE, 20}),
    PRESET("Bass Filter", 0.003f, 0.25f, 20, 0.12f, {MODE, 1}),
    PRESET("Gate", 0.001f, 0.001f, 100, 0.001f, {CURVE, 0}),
    PRESET("Late Bloom", 1.5f, 1, 60, 0.8f, {CURVE, -60}),
};

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_envelope_unit *envelope = (bl_envelope_unit *)unit;
    envelope->gate = (bl_key_gate){0};
    envelope->stage = BL_ENVELOPE_AT_REST;
    envelope->position = envelope->length = 0;
    envelope->from = envelope->to = 0;
}

static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    (void)io;
    if (message->bytes[0] < BL_SYSTEM_EXCLUSIVE) {
        bl_envelope_receive((bl_envelope_unit *)unit, message);
    }
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    bl_envelope_fill((bl_envelope_unit *)unit, io->output[0] + first_frame, frames);
}

BL_KIT(bl_envelope_unit, .process = process, .midi = midi, .reset = reset)

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    return (double)((const bl_unit_base *)unit)->parameters[RELEASE].target;
}

const bl_unit_descriptor bl_envelope_generator = {
    BL_GENERATOR('e', 'n', 'v', 'l'),
    .name = "Envelope",
    BL_TAGS("Modulation", "Control", "MIDI"),
    .summary =
        "Attack, hold, decay, sustain and release of keys, to move parameters of other units",
    .flags = BL_UNIT_MIDI_INPUT,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
