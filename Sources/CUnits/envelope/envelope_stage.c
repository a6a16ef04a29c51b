/* The envelope's stages: each moves from one value to another, linearly or like a charging
   capacitor. */
#include "dsp/chunk.h"
#include "dsp/exp2.h"
#include "envelope/envelope.h"

/* A curve of 100 %, in octaves: 60 dB of an exponential. */
#define STEEPEST 10.0f

static float target(const bl_envelope_unit *unit, uint32_t index) BL_NONBLOCKING {
    return unit->base.parameters[index].target;
}

/* The progress of a stage, 0 to 1, at a `share` of its time: (1 - 2^-cx) / (1 - 2^-c), or near a
   line the first terms of its series. */
BL_INLINE float way(const bl_envelope_unit *unit, float share) BL_NONBLOCKING {
    float curve = unit->curve;
    if (curve > -0.1f && curve < 0.1f) {
        return share + 0.34657359f * curve * share * (1.0f - share);
    }
    return (1.0f - bl_exp2(-curve * share)) * unit->scale;
}

/* The value at the next frame. */
BL_INLINE float value_of(const bl_envelope_unit *unit) BL_NONBLOCKING {
    if (unit->length == 0) {
        return unit->to;
    }
    float share = (float)(int32_t)unit->position / (float)(int32_t)unit->length;
    return unit->from + (unit->to - unit->from) * way(unit, share);
}

static void begin(bl_envelope_unit *unit, bl_envelope_stage stage, float from, float to,
                  float seconds) BL_NONBLOCKING {
    bool ends = stage != BL_ENVELOPE_AT_REST && stage != BL_ENVELOPE_SUSTAINS;
    uint32_t frames = (uint32_t)((double)seconds * unit->base.sample_rate + 0.5);
    unit->stage = stage;
    unit->position = 0;
    unit->length = !ends ? 0 : frames > 0 ? frames : 1;
    unit->from = from;
    unit->to = to;
    unit->curve = target(unit, CURVE) * (STEEPEST / 100);
    unit->scale = 1.0f / (1.0f - bl_exp2(-unit->curve));
}

/* The progress from which on a changed stage restarts: nearer to its end the rest of its curve is
   too flat to be bent. */
#define BENT 0.99f

/* Changes the end and the time of the present stage, which continues from its value, at the same
   share of its time. */
static void change_stage(bl_envelope_unit *unit, float to, float seconds) BL_NONBLOCKING {
    float value = value_of(unit);
    double share = (double)unit->position / unit->length;
    begin(unit, unit->stage, value, to, seconds);
    unit->position = (uint32_t)(share * unit->length + 0.5);
    float gone = way(unit, (float)(int32_t)unit->position / (float)(int32_t)unit->length);
    if (gone < BENT) {
        unit->from = to + (value - to) / (1.0f - gone);
    } else {
        unit->position = 0;
    }
}

/* The sustain level of the present note. */
static float sustain_of(const bl_envelope_unit *unit) BL_NONBLOCKING {
    return unit->peak * target(unit, SUSTAIN) * 0.01f;
}

/* Follows changes of decay, sustain and release. */
static void follow(bl_envelope_unit *unit) BL_NONBLOCKING {
    float decay = target(unit, DECAY), release = target(unit, RELEASE);
    float sustain = target(unit, SUSTAIN);
    bool falls = decay != unit->decay || sustain != unit->sustain;
    bool ends = release != unit->release;
    unit->decay = decay;
    unit->sustain = sustain;
    unit->release = release;
    if (unit->stage == BL_ENVELOPE_DECAYS && falls) {
        change_stage(unit, sustain_of(unit), decay);
    } else if (unit->stage == BL_ENVELOPE_SUSTAINS && unit->to != sustain_of(unit)) {
        begin(unit, BL_ENVELOPE_DECAYS, unit->to, sustain_of(unit), decay);
    } else if (unit->stage == BL_ENVELOPE_RELEASES && ends) {
        change_stage(unit, 0, release);
    }
}

/* Starts the next stage after the end of one. */
static void next_stage(bl_envelope_unit *unit) BL_NONBLOCKING {
    float sustain = sustain_of(unit);
    float hold = target(unit, HOLD);
    if (unit->stage == BL_ENVELOPE_ATTACKS && hold > 0) {
        begin(unit, BL_ENVELOPE_HOLDS, unit->peak, unit->peak, hold);
    } else if (unit->stage <= BL_ENVELOPE_HOLDS) {
        begin(unit, BL_ENVELOPE_DECAYS, unit->peak, sustain, target(unit, DECAY));
    } else if (unit->stage == BL_ENVELOPE_DECAYS) {
        begin(unit, BL_ENVELOPE_SUSTAINS, unit->to, unit->to, 0);
    } else {
        begin(unit, BL_ENVELOPE_AT_REST, 0, 0, 0);
    }
}

void bl_envelope_receive(bl_envelope_unit *unit, const bl_midi_event *message) BL_NONBLOCKING {
    bool was_open = bl_key_gate_is_open(&unit->gate);
    bl_key_gate_receive(&unit->gate, message);
    bool is_legato = target(unit, MODE) >= 0.5f;
    if (bl_midi_is_note_on(message) && !(is_legato && was_open)) {
        float softer = 1.0f - (float)message->bytes[2] / 127.0f;
        unit->peak = 1.0f - target(unit, VELOCITY) * 0.01f * softer;
        begin(unit, BL_ENVELOPE_ATTACKS, value_of(unit), unit->peak, target(unit, ATTACK));
    } else if (was_open && !bl_key_gate_is_open(&unit->gate)) {
        begin(unit, BL_ENVELOPE_RELEASES, value_of(unit), 0, target(unit, RELEASE));
    }
}

BL_VECTOR_CLONES void bl_envelope_fill(bl_envelope_unit *unit, float *values,
                                       uint32_t frames) BL_NONBLOCKING {
    follow(unit);
    for (uint32_t done = 0, count = 0; done < frames; done += count) {
        uint32_t left = unit->length - unit->position;
        count = bl_fewer(frames - done, unit->length > 0 ? left : frames);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            values[done + frame] = value_of(unit);
            unit->position += unit->length > 0;
        }
        if (unit->length > 0 && unit->position == unit->length) {
            next_stage(unit);
        }
    }
}
