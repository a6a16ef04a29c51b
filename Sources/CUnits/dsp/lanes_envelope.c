#include "lanes_envelope.h"

#include "exp2.h"

/* Octaves of an attack's exponential, and of the other stages'. */
#define ATTACK_CURVE 1.5849625f
#define FALL_CURVE 10.0f
/* Frames of a waiting stage. */
#define WITHOUT_END INT32_MAX

float bl_lanes_envelope_value(const bl_lanes_envelope *envelope, uint32_t lane) BL_NONBLOCKING {
    float share = (float)envelope->position[lane] / (float)envelope->length[lane];
    float way = (1.0f - bl_exp2(-envelope->curve[lane] * share)) * envelope->scale[lane];
    return envelope->from[lane] + (envelope->to[lane] - envelope->from[lane]) * way;
}

static void set(bl_lanes_envelope *envelope, uint32_t lane, bl_lanes_stage stage, float from,
                float to, int32_t length) BL_NONBLOCKING {
    float curve = stage == BL_LANES_ATTACKS ? ATTACK_CURVE : FALL_CURVE;
    envelope->stages[lane] = stage;
    envelope->position[lane] = 0;
    envelope->length[lane] = length;
    envelope->from[lane] = from;
    envelope->to[lane] = to;
    envelope->curve[lane] = curve;
    envelope->scale[lane] = 1.0f / (1.0f - bl_exp2(-curve));
}

static int32_t frames_of(const bl_ramp *time, float rate) BL_NONBLOCKING {
    int32_t frames = (int32_t)((double)time->target * (double)rate + 0.5);
    return frames > 0 ? frames : 1;
}

static float sustain_of(const bl_ramp *parameters) BL_NONBLOCKING {
    return parameters[BL_LANES_SUSTAIN].target * 0.01f;
}

void bl_lanes_envelope_end(bl_lanes_envelope *envelope, uint32_t lane) BL_NONBLOCKING {
    set(envelope, lane, BL_LANES_ENDED, 0, 0, WITHOUT_END);
}

void bl_lanes_envelope_reset(bl_lanes_envelope *envelope) BL_NONBLOCKING {
    for (uint32_t lane = 0; lane < BL_LANES; lane += 1) {
        bl_lanes_envelope_end(envelope, lane);
    }
}

void bl_lanes_envelope_attack(bl_lanes_envelope *envelope, uint32_t lane, const bl_ramp *parameters,
                              float rate) BL_NONBLOCKING {
    float now = bl_lanes_envelope_value(envelope, lane);
    envelope->rate[lane] = rate;
    set(envelope, lane, BL_LANES_ATTACKS, now, 1, frames_of(&parameters[BL_LANES_ATTACK], rate));
}

void bl_lanes_envelope_release(bl_lanes_envelope *envelope, uint32_t lane,
                               const bl_ramp *parameters, float rate) BL_NONBLOCKING {
    float now = bl_lanes_envelope_value(envelope, lane);
    envelope->rate[lane] = rate;
    set(envelope, lane, BL_LANES_RELEASES, now, 0, frames_of(&parameters[BL_LANES_RELEASE], rate));
}

/* An exponential that restarts from its present value continues unchanged. */
void bl_lanes_envelope_follow(bl_lanes_envelope *envelope,
                              const bl_ramp *parameters) BL_NONBLOCKING {
    float decay = parameters[BL_LANES_DECAY].target, sustain = sustain_of(parameters);
    float release = parameters[BL_LANES_RELEASE].target;
    bool falls = decay != envelope->decay || sustain != envelope->sustain;
    bool ends = release != envelope->release;
    envelope->decay = decay;
    envelope->sustain = sustain;
    envelope->release = release;
    for (uint32_t lane = 0; (falls || ends) && lane < BL_LANES; lane += 1) {
        bl_lanes_stage stage = envelope->stages[lane];
        bool decays = stage == BL_LANES_DECAYS && falls;
        bool moves = stage == BL_LANES_SUSTAINS && envelope->to[lane] != sustain;
        float now = bl_lanes_envelope_value(envelope, lane), rate = envelope->rate[lane];
        if (decays || moves) {
            set(envelope, lane, BL_LANES_DECAYS, now, sustain,
                frames_of(&parameters[BL_LANES_DECAY], rate));
        } else if (stage == BL_LANES_RELEASES && ends) {
            set(envelope, lane, stage, now, 0, frames_of(&parameters[BL_LANES_RELEASE], rate));
        }
    }
}

void bl_lanes_envelope_continue(bl_lanes_envelope *envelope,
                                const bl_ramp *parameters) BL_NONBLOCKING {
    for (uint32_t lane = 0; lane < BL_LANES; lane += 1) {
        if (envelope->position[lane] < envelope->length[lane]) {
            continue;
        }
        float to = envelope->to[lane];
        if (envelope->stages[lane] == BL_LANES_ATTACKS) {
            set(envelope, lane, BL_LANES_DECAYS, to, sustain_of(parameters),
                frames_of(&parameters[BL_LANES_DECAY], envelope->rate[lane]));
        } else if (envelope->stages[lane] <= BL_LANES_SUSTAINS) {
            set(envelope, lane, BL_LANES_SUSTAINS, to, to, WITHOUT_END);
        } else {
            set(envelope, lane, BL_LANES_ENDED, to, to, WITHOUT_END);
        }
    }
}
