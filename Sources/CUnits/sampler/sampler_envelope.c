/* The envelopes of a sampler voice: of its level, frame by frame, and of pitch and cutoff at any
   time. */
#include <math.h>

#include "dsp/chunk.h"
#include "dsp/exp2.h"
#include "dsp/log2.h"
#include "sampler/sampler.h"

/* The shortest decay or release, seconds, so that it does not click. */
#define SHORTEST_FALL (1 / 64.0f)
/* The level below which a falling level is silence: -100 dB. */
static const double silence = 1e-5;

static uint32_t frames_of(const bl_sampler_unit *unit, float seconds) BL_NONBLOCKING {
    return (uint32_t)((double)(seconds < 1000 ? seconds : 1000) * unit->base.sample_rate + 0.5);
}

/* The factor per frame of a level that falls by `decibels` in so many seconds. */
static double fall(const bl_sampler_unit *unit, float decibels, float seconds) BL_NONBLOCKING {
    double whole = (double)(seconds > SHORTEST_FALL ? seconds : SHORTEST_FALL);
    return exp((double)decibels * -0.115129254649702 / (whole * unit->base.sample_rate));
}

void bl_sampler_enter(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                      bl_voice_stage stage) BL_NONBLOCKING {
    const bl_note_envelope *envelope = &voice->envelope;
    const float seconds[] = {
        [BL_VOICE_DELAY] = envelope->delay,
        [BL_VOICE_ATTACK] = envelope->attack,
        [BL_VOICE_HOLD] = envelope->hold,
    };
    voice->position = 0;
    voice->length = 0;
    voice->stage = stage;
    for (; voice->stage <= BL_VOICE_HOLD; voice->stage += 1) {
        voice->length = frames_of(unit, seconds[voice->stage]);
        voice->from = envelope->start;
        voice->level = voice->stage == BL_VOICE_HOLD ? 1 : (double)envelope->start;
        if (voice->length > 0) {
            return;
        }
    }
    if (voice->stage == BL_VOICE_DECAY) {
        voice->level = 1;
        voice->factor = fall(unit, voice->region->fall, envelope->decay);
        if (envelope->sustain >= 1) {
            voice->stage = BL_VOICE_SUSTAIN;
        }
    }
}

/* The factor per frame of a level in its release. */
static double release_fall(const bl_sampler_unit *unit,
                           const bl_sampler_voice *voice) BL_NONBLOCKING {
    float share = 0.01f * unit->base.parameters[BL_SAMPLER_RELEASE].target;
    return fall(unit, voice->region->fall, voice->envelope.release * share);
}

void bl_sampler_follow_release(bl_sampler_unit *unit) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        bl_sampler_voice *voice = &unit->voices[slot];
        if (voice->stage == BL_VOICE_RELEASE) {
            voice->factor = release_fall(unit, voice);
        }
    }
}

void bl_sampler_release_voice(const bl_sampler_unit *unit, bl_sampler_voice *voice) BL_NONBLOCKING {
    if (voice->stage == BL_VOICE_RELEASE) {
        return;
    }
    float seconds = (float)((double)voice->age / unit->base.sample_rate);
    for (uint32_t motion = 0; motion < BL_MOTION_COUNT; motion += 1) {
        voice->motion_levels[motion] = bl_sampler_motion_level(voice, motion, seconds);
    }
    voice->released_at = seconds;
    voice->event = unit->event;
    if (voice->region->loop_mode == BL_LOOP_SUSTAIN) {
        voice->loops = false;
    }
    voice->factor = release_fall(unit, voice);
    voice->stage = BL_VOICE_RELEASE;
    if (voice->wait > 0) {
        bl_sampler_end_voice(voice);
    }
}

void bl_sampler_fade_voice(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                           float seconds) BL_NONBLOCKING {
    voice->from = (float)voice->level;
    voice->position = 0;
    voice->length = frames_of(unit, seconds) + 1;
    /* A voice that was never heard is freed at once. */
    voice->stage = BL_VOICE_FADE;
    if (voice->fresh || voice->wait > 0) {
        bl_sampler_end_voice(voice);
    }
}

float bl_sampler_motion_level(const bl_sampler_voice *voice, uint32_t motion,
                              float seconds) BL_NONBLOCKING {
    const bl_note_envelope *envelope = &voice->motions[motion];
    if (voice->released_at >= 0) {
        float fallen =
            envelope->release > 0 ? (seconds - voice->released_at) / envelope->release : 1;
        float left = voice->motion_levels[motion] - fallen;
        return left > 0 ? left : 0;
    }
    seconds -= envelope->delay;
    if (seconds < 0) {
        return envelope->start;
    }
    if (seconds < envelope->attack) {
        float share = envelope->start + (1 - envelope->start) * seconds / envelope->attack;
        if (!voice->region->motions[motion].convex) {
            return share;
        }
        /* From -96 dB up to 1, as 20 log10 of the square. */
        float up = share > 0 ? 1 + 0.125428866f * bl_log2(share) : 0;
        return up > 0 ? up : 0;
    }
    seconds -= envelope->attack + envelope->hold;
    if (seconds < 0) {
        return 1;
    }
    float level = envelope->decay > 0 ? 1 - seconds / envelope->decay : 0;
    return level > envelope->sustain ? level : envelope->sustain;
}

/* Writes frames of a stage that is linear between two levels. */
static void fill_straight(bl_sampler_voice *voice, float to, float *levels,
                          uint32_t frames) BL_NONBLOCKING {
    float slope = (to - voice->from) / (float)(int32_t)voice->length;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        levels[frame] = voice->from + slope * (float)(int32_t)(voice->position + frame);
    }
    voice->level = (double)voice->from + (double)slope * (voice->position + frames);
}

/* Writes frames of a level that falls to `end`, until it is reached; returns the count. */
static uint32_t fill_falling(bl_sampler_voice *voice, double end, float *levels,
                             uint32_t frames) BL_NONBLOCKING {
    uint32_t frame = 0;
    for (; frame < frames && voice->level > end; frame += 1) {
        levels[frame] = (float)voice->level;
        voice->level *= voice->factor;
    }
    return frame;
}

uint32_t bl_sampler_fill_levels(const bl_sampler_unit *unit, bl_sampler_voice *voice, float *levels,
                                uint32_t frames) BL_NONBLOCKING {
    double sustain = (double)voice->envelope.sustain;
    uint32_t done = 0;
    while (done < frames && voice->stage != BL_VOICE_FREE) {
        float *to = levels + done;
        uint32_t count = frames - done;
        switch (voice->stage) {
        case BL_VOICE_DELAY:
        case BL_VOICE_ATTACK:
        case BL_VOICE_HOLD:
        case BL_VOICE_FADE:
            count = bl_fewer(count, voice->length - voice->position);
            if (voice->stage == BL_VOICE_DELAY || voice->stage == BL_VOICE_HOLD) {
                for (uint32_t frame = 0; frame < count; frame += 1) {
                    to[frame] = voice->stage == BL_VOICE_HOLD ? 1 : 0;
                }
            } else {
                fill_straight(voice, voice->stage == BL_VOICE_ATTACK ? 1 : 0, to, count);
            }
            voice->position += count;
            if (voice->position == voice->length) {
                if (voice->stage == BL_VOICE_FADE) {
                    voice->stage = BL_VOICE_FREE;
                } else {
                    bl_sampler_enter(unit, voice, voice->stage + 1);
                }
            }
            break;
        case BL_VOICE_DECAY:
            count = fill_falling(voice, sustain > silence ? sustain : silence, to, count);
            if (done + count < frames) {
                voice->level = sustain;
                voice->stage = sustain > silence ? BL_VOICE_SUSTAIN : BL_VOICE_FREE;
            }
            break;
        case BL_VOICE_RELEASE:
            count = fill_falling(voice, silence, to, count);
            if (done + count < frames) {
                voice->stage = BL_VOICE_FREE;
            }
            break;
        case BL_VOICE_SUSTAIN:
            voice->level = sustain;
            for (uint32_t frame = 0; frame < count; frame += 1) {
                to[frame] = (float)sustain;
            }
            break;
        case BL_VOICE_FREE: break;
        }
        done += count;
    }
    return done;
}
