/* Velocity curve: changes the velocity of notes. */
#include <math.h>

#include "base/midi_processor.h"

enum { CURVE, MINIMUM, MAXIMUM, FIXED, PARAMETER_COUNT };

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    /* Above 0 soft strokes are raised, below 0 lowered. */
    [CURVE] = BL_SETTING("curve", "Curve", PERCENT, LINEAR, -100, 100, 0, 1),
    /* The velocity of the softest stroke; above the maximum, hard and soft are swapped. */
    [MINIMUM] = BL_SETTING("minimum", "Minimum", GENERIC, LINEAR, 1, 127, 1, 2),
    [MAXIMUM] = BL_SETTING("maximum", "Maximum", GENERIC, LINEAR, 1, 127, 127, 3),
    /* Every note gets the maximum. */
    [FIXED] = BL_SWITCH("fixed", "Fixed", 0, 0),
};

enum { HITS = 16 };

typedef struct velocity_unit {
    bl_unit_base base;
    uint8_t hits[HITS][2]; /* last velocities, received and sent */
    uint32_t hit_count;    /* number since the reset */
} velocity_unit;

static void reset(bl_unit *unit) BL_NONBLOCKING { ((velocity_unit *)unit)->hit_count = 0; }

/* minimum + (maximum - minimum) x^g for x from 0 to 1; g from 4 (curve -100 %) over 1 to a quarter
   (100 %). */
static uint8_t curved(const bl_unit_base *base, uint8_t velocity) BL_NONBLOCKING {
    float minimum = base->parameters[MINIMUM].target;
    float maximum = base->parameters[MAXIMUM].target;
    float exponent = exp2f(base->parameters[CURVE].target * -0.02f);
    float force = powf((float)(velocity - 1) / 126.0f, exponent);
    if (base->parameters[FIXED].target >= 0.5f) {
        force = 1;
    }
    return (uint8_t)lrintf(minimum + (maximum - minimum) * force);
}

static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    if (bl_midi_is_note_on(message)) {
        velocity_unit *velocity = (velocity_unit *)unit;
        uint8_t *hit = velocity->hits[velocity->hit_count++ % HITS];
        hit[0] = message->bytes[2];
        hit[1] = curved(&velocity->base, message->bytes[2]);
        bl_midi_processor_send(io, io->now, message->bytes[0], message->bytes[1], hit[1]);
    } else {
        bl_midi_processor_pass(io, io->now, message);
    }
}

BL_KIT(velocity_unit, .midi = midi, .reset = reset)

/* Pairs of velocities, the newest last. */
static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    (void)index;
    const velocity_unit *velocity = (const velocity_unit *)unit;
    uint32_t count = velocity->hit_count < HITS ? velocity->hit_count : HITS;
    for (uint32_t place = 0; place < count; place += 1) {
        const uint8_t *hit = velocity->hits[(velocity->hit_count - count + place) % HITS];
        values[2 * place] = hit[0];
        values[2 * place + 1] = hit[1];
    }
    return 2 * count;
}

static const bl_telemetry_info telemetry[] = {
    {"hits", "Last Strokes", BL_TELEMETRY_CURVE, 2 * HITS}};

static const bl_factory_preset presets[] = {
    BL_PRESET("Heavy Hands", {CURVE, -40}),
    BL_PRESET("Light Hands", {CURVE, 40}),
    BL_PRESET("Organ", {FIXED, 1}, {MAXIMUM, 100}),
    BL_PRESET("Even Keys", {MINIMUM, 50}, {MAXIMUM, 100}),
    BL_PRESET("Never Quite Loud", {MAXIMUM, 90}),
    BL_PRESET("Never Quite Soft", {MINIMUM, 40}),
    BL_PRESET("Upside Down", {MINIMUM, 127}, {MAXIMUM, 1}),
};

const bl_unit_descriptor bl_velocity_curve = {
    BL_MIDI_PROCESSOR('v', 'e', 'l', 'o'),
    .name = "Velocity Curve",
    BL_TAGS("MIDI", "Dynamics", "Utility"),
    .summary = "Fits how hard keys are struck to the player's hands",
    BL_FACTORY_PRESETS,
    BL_TELEMETRY,
};
