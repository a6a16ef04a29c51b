/* The sound of the sine instrument: every loop covers the frames of one voice. */
#include <stddef.h>
#include <string.h>

#include "dsp/chunk.h"
#include "dsp/decibels.h"
#include "dsp/exp2.h"
#include "dsp/sine.h"
#include "sine_instrument/sine_instrument.h"

enum { STRETCH = 64 };

/* The highest phase per frame, turns: vibrato has room below half a turn, where the voice is
   silent. */
#define HIGHEST_TURNS 0.46875f

/* A stretch of frames, with values that all voices share. */
typedef struct stretch {
    uint32_t frames;
    float turns;          /* phase per frame of 440 Hz */
    float cubed[STRETCH]; /* share of the cubed waveform */
    bool has_vibrato[BL_MIDI_CHANNELS];
    float vibrato[BL_MIDI_CHANNELS][STRETCH]; /* frequency factors */
} stretch;

/* The remaining part of a linear stage, 1 to 0, at `position`. */
BL_INLINE float linear(uint32_t position, float per_frame) BL_NONBLOCKING {
    return 1.0f - (float)(int32_t)position * per_frame;
}

/* The remaining part of an exponential stage: 60 dB of an exponential, lowered to end at 0
   exactly. */
BL_INLINE float exponential(uint32_t position, float per_frame) BL_NONBLOCKING {
    float end = 0x1p-10f;
    return (bl_exp2((float)(int32_t)position * per_frame * -10.0f) - end) *
           (1.0f / (1.0f - 0x1p-10f));
}

BL_INLINE float envelope_at(const bl_sine_voice *voice, uint32_t position,
                            bool is_exponential) BL_NONBLOCKING {
    float per_frame = 1.0f / (float)(int32_t)voice->length;
    float left = is_exponential ? exponential(position, per_frame) : linear(position, per_frame);
    return voice->to + (voice->from - voice->to) * left;
}

BL_INLINE bool is_exponential(bl_sine_stage stage) BL_NONBLOCKING {
    return stage == BL_STAGE_DECAY || stage == BL_STAGE_RELEASE;
}

float bl_sine_envelope(const bl_sine_voice *voice) BL_NONBLOCKING {
    if (voice->stage == BL_STAGE_SUSTAIN) {
        return voice->to;
    }
    return envelope_at(voice, voice->position, is_exponential(voice->stage));
}

/* Starts a fall from the envelope's present value to `to` in so many seconds. */
BL_INLINE void fall(const bl_sine_unit *unit, bl_sine_voice *voice, bl_sine_stage stage, float to,
                    float seconds) BL_NONBLOCKING {
    double frames = (double)seconds * unit->instrument.base.sample_rate + 0.5;
    voice->from = bl_sine_envelope(voice);
    voice->to = to;
    voice->position = 0;
    voice->length = frames >= 1 ? (uint32_t)frames : 1;
    voice->stage = stage;
}

/* Follows changes of decay, sustain and release: an exponential that restarts from its present
   value continues unchanged. */
static void follow_envelope(bl_sine_unit *unit) BL_NONBLOCKING {
    const bl_ramp *parameters = unit->instrument.base.parameters;
    float decay = parameters[DECAY].target, release = parameters[RELEASE].target;
    float sustain = parameters[SUSTAIN].target * 0.01f;
    bool falls = decay != unit->decay || sustain != unit->sustain;
    bool ends = release != unit->release;
    unit->decay = decay;
    unit->sustain = sustain;
    unit->release = release;
    for (uint32_t slot = 0; (falls || ends) && slot < BL_SINE_SLOTS; slot += 1) {
        bl_sine_voice *voice = &unit->voices[slot];
        bool moves = voice->stage == BL_STAGE_SUSTAIN && voice->to != sustain;
        if (moves || (voice->stage == BL_STAGE_DECAY && falls)) {
            fall(unit, voice, BL_STAGE_DECAY, sustain, decay);
        } else if (voice->stage == BL_STAGE_RELEASE && ends) {
            fall(unit, voice, BL_STAGE_RELEASE, 0, release);
        }
    }
}

/* Starts the next stage after the end of one. */
BL_INLINE void next_stage(const bl_sine_unit *unit, bl_sine_voice *voice) BL_NONBLOCKING {
    voice->from = voice->to;
    if (voice->stage == BL_STAGE_ATTACK) {
        fall(unit, voice, BL_STAGE_DECAY, unit->sustain, unit->decay);
    } else if (voice->stage == BL_STAGE_DECAY && voice->to > 0) {
        voice->position = 0;
        voice->stage = BL_STAGE_SUSTAIN;
    } else {
        voice->stage = BL_STAGE_FREE;
    }
}

/* Writes the voice's envelope times its velocity; returns the number of frames until its end. */
BL_INLINE uint32_t fill_amplitudes(const bl_sine_unit *unit, bl_sine_voice *voice,
                                   float *amplitudes, uint32_t frames) BL_NONBLOCKING {
    uint32_t done = 0;
    while (done < frames && voice->stage != BL_STAGE_FREE) {
        uint32_t count = frames - done;
        float *to = amplitudes + done;
        if (voice->stage == BL_STAGE_SUSTAIN) {
            for (uint32_t frame = 0; frame < count; frame += 1) {
                to[frame] = voice->to * voice->velocity;
            }
            return frames;
        }
        count = bl_fewer(count, voice->length - voice->position);
        if (is_exponential(voice->stage)) {
            for (uint32_t frame = 0; frame < count; frame += 1) {
                to[frame] = envelope_at(voice, voice->position + frame, true) * voice->velocity;
            }
        } else {
            for (uint32_t frame = 0; frame < count; frame += 1) {
                to[frame] = envelope_at(voice, voice->position + frame, false) * voice->velocity;
            }
        }
        done += count;
        voice->position += count;
        if (voice->position == voice->length) {
            next_stage(unit, voice);
        }
    }
    return done;
}

/* The gain of a partial: 1 up to 0.9 of half the sample rate, then falling to 0 at half of it.
   `turns` per frame. */
BL_INLINE float heard(float turns) BL_NONBLOCKING {
    float share = (0.5f - turns) * 20.0f;
    share = share < 1 ? share : 1;
    return share > 0 ? share : 0;
}

/* The phases of a voice, and the gains of its partials; for a constant pitch only the first entry
   is set. */
typedef struct partials {
    uint32_t phases[STRETCH];
    float first[STRETCH], third[STRETCH]; /* factors */
} partials;

/* The phase step per frame, 2^32 for a turn. */
BL_INLINE float step_of(float turns) BL_NONBLOCKING {
    return (turns < HIGHEST_TURNS ? turns : HIGHEST_TURNS) * 0x1p32f;
}

/* Fills in a constant pitch. */
BL_INLINE void fill_standing(bl_sine_voice *voice, const stretch *now,
                             partials *to) BL_NONBLOCKING {
    float turns = now->turns * bl_exp2(voice->pitch.target);
    to->first[0] = heard(turns);
    to->third[0] = heard(3 * turns);
    uint32_t step = (uint32_t)(int32_t)step_of(turns);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        to->phases[frame] = voice->phase + frame * step;
    }
    voice->phase += now->frames * step;
}

/* Fills in a pitch with bend or vibrato. */
BL_INLINE void fill_moving(bl_sine_voice *voice, const stretch *now, const float *vibrato,
                           partials *to) BL_NONBLOCKING {
    uint32_t steps[STRETCH];
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float turns = now->turns * bl_exp2(bl_ramp_value(&voice->pitch, frame));
        to->first[frame] = heard(turns);
        to->third[frame] = heard(3 * turns);
        float factor = vibrato != NULL ? vibrato[frame] : 1;
        steps[frame] = (uint32_t)(int32_t)(step_of(turns) * factor);
    }
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        to->phases[frame] = voice->phase;
        voice->phase += steps[frame];
    }
    bl_ramp_advance(&voice->pitch, now->frames);
}

BL_INLINE bool is_expressed(const bl_sine_voice *voice) BL_NONBLOCKING {
    return bl_ramp_is_moving(&voice->swell) || voice->swell.target != 1 ||
           bl_ramp_is_moving(&voice->timbre) || voice->timbre.target != 0;
}

/* Applies the key's pressure to the amplitudes, and its timbre to the share of the cube. */
BL_INLINE void express(bl_sine_voice *voice, const stretch *now, uint32_t frames, float *amplitudes,
                       float *shares) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float cubed = now->cubed[frame];
        amplitudes[frame] *= bl_ramp_value(&voice->swell, frame);
        shares[frame] = cubed + (1.0f - cubed) * bl_ramp_value(&voice->timbre, frame);
    }
    bl_ramp_advance(&voice->swell, now->frames);
    bl_ramp_advance(&voice->timbre, now->frames);
}

/* Adds the partials: sin³ x = (3 sin x - sin 3x) / 4. */
BL_INLINE void play(const partials *partials, const float *shares, const float *amplitudes,
                    float *sum, uint32_t frames, bool is_moving) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float first = partials->first[is_moving ? frame : 0];
        float third = partials->third[is_moving ? frame : 0];
        float sine = bl_sine(partials->phases[frame]);
        float cubed = 0.75f * (1.0f - third) + third * (sine * sine);
        float factor = 1.0f + shares[frame] * (cubed - 1.0f);
        sum[frame] += sine * factor * (first * amplitudes[frame]);
    }
}

/* Adds one voice. */
BL_INLINE void add_voice(bl_sine_unit *unit, uint32_t slot, const stretch *now,
                         float *sum) BL_NONBLOCKING {
    bl_sine_voice *voice = &unit->voices[slot];
    bl_key_voice *key = &unit->instrument.keys.voices[slot];
    float amplitudes[STRETCH];
    partials partials;
    const float *vibrato = now->has_vibrato[key->channel] ? now->vibrato[key->channel] : NULL;
    bool is_moving = vibrato != NULL || bl_ramp_is_moving(&voice->pitch);
    if (is_moving) {
        fill_moving(voice, now, vibrato, &partials);
    } else {
        fill_standing(voice, now, &partials);
    }
    uint32_t frames = fill_amplitudes(unit, voice, amplitudes, now->frames);
    key->stage = voice->stage == BL_STAGE_FREE ? BL_KEY_FREE : key->stage;
    const float *shares = now->cubed;
    float expressed[STRETCH];
    if (is_expressed(voice)) {
        express(voice, now, frames, amplitudes, expressed);
        shares = expressed;
    }
    if (is_moving) {
        play(&partials, shares, amplitudes, sum, frames, true);
    } else {
        play(&partials, shares, amplitudes, sum, frames, false);
    }
}

/* Fills in a stretch of `now->frames` frames. */
BL_INLINE void prepare(bl_sine_unit *unit, stretch *now) BL_NONBLOCKING {
    now->turns = (float)(440.0 / unit->instrument.base.sample_rate);
    const bl_ramp *parameters = unit->instrument.base.parameters;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->cubed[frame] = bl_ramp_value(&unit->cubed, frame);
    }
    bl_phase step = bl_phase_increment(parameters[VIBRATO_RATE].target, unit->phase_scale);
    float depth = parameters[VIBRATO_DEPTH].target * (1.0f / 1200.0f); /* octaves */
    for (uint32_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        float octaves = depth * bl_channel_wheel(&unit->instrument.keys.channels, (uint8_t)channel);
        now->has_vibrato[channel] = octaves > 0;
        for (uint32_t frame = 0; octaves > 0 && frame < now->frames; frame += 1) {
            uint32_t phase = bl_phase_top(unit->vibrato + frame * step);
            now->vibrato[channel][frame] = bl_exp2(octaves * bl_sine(phase));
        }
    }
    unit->vibrato += now->frames * step;
}

BL_VECTOR_CLONES void bl_sine_process(bl_unit *opaque, bl_io *io, uint32_t first_frame,
                                      uint32_t frames) BL_NONBLOCKING {
    bl_sine_unit *unit = (bl_sine_unit *)opaque;
    bl_ramp *level = &unit->instrument.base.parameters[LEVEL];
    float sum[STRETCH];
    stretch now;
    follow_envelope(unit);
    for (uint32_t done = 0; done < frames; done += now.frames) {
        now.frames = bl_fewer(frames - done, STRETCH);
        prepare(unit, &now);
        for (uint32_t frame = 0; frame < now.frames; frame += 1) {
            sum[frame] = 0;
        }
        for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
            if (unit->voices[slot].stage != BL_STAGE_FREE) {
                add_voice(unit, slot, &now, sum);
            }
        }
        for (uint32_t frame = 0; frame < now.frames; frame += 1) {
            sum[frame] *= bl_fader_gain(bl_ramp_value(level, frame));
        }
        for (uint32_t channel = 0; channel < unit->instrument.base.output_channel_count;
             channel += 1) {
            memcpy(io->output[channel] + first_frame + done, sum, now.frames * sizeof *sum);
        }
        bl_ramp_advance(level, now.frames);
        bl_ramp_advance(&unit->cubed, now.frames);
    }
}
