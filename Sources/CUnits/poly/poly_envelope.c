/* The stages of the poly synth's envelopes. */
#include "dsp/exp2.h"
#include "poly/poly.h"

/* An attack is a capacitor charged to half more than the peak; the others fall by 60 dB. Octaves */
#define ATTACK_CURVE 1.5849625f
#define FALL_CURVE 10.0f
/* Of stages that wait. Frames */
#define WITHOUT_END INT32_MAX

static float value_of(const bl_poly_envelopes *envelopes, uint32_t lane) BL_NONBLOCKING {
    float share = (float)envelopes->position[lane] / (float)envelopes->length[lane];
    float way = (1.0f - bl_exp2(-envelopes->curve[lane] * share)) * envelopes->scale[lane];
    return envelopes->from[lane] + (envelopes->to[lane] - envelopes->from[lane]) * way;
}

static void set(bl_poly_envelopes *envelopes, uint32_t lane, bl_poly_stage stage, float from,
                float to, int32_t length) BL_NONBLOCKING {
    float curve = stage == BL_POLY_ATTACKS ? ATTACK_CURVE : FALL_CURVE;
    envelopes->stages[lane] = stage;
    envelopes->position[lane] = 0;
    envelopes->length[lane] = length;
    envelopes->from[lane] = from;
    envelopes->to[lane] = to;
    envelopes->curve[lane] = curve;
    envelopes->scale[lane] = 1.0f / (1.0f - bl_exp2(-curve));
}

static int32_t frames_of(const bl_poly_unit *poly, uint32_t parameter) BL_NONBLOCKING {
    double seconds = (double)poly->base.parameters[parameter].target;
    int32_t frames = (int32_t)(seconds * poly->base.sample_rate + 0.5);
    return frames > 0 ? frames : 1;
}

void bl_poly_envelope_begin(const bl_poly_unit *poly, bl_poly_envelopes *envelopes, uint32_t lane,
                            bl_poly_stage stage, uint32_t first) BL_NONBLOCKING {
    float now = value_of(envelopes, lane);
    bool attacks = stage == BL_POLY_ATTACKS;
    if (attacks) {
        envelopes->sustain[lane] = poly->base.parameters[first + BL_POLY_SUSTAIN].target * 0.01f;
    }
    set(envelopes, lane, stage, now, attacks ? 1 : 0,
        frames_of(poly, first + (attacks ? BL_POLY_ATTACK : BL_POLY_RELEASE)));
}

void bl_poly_envelope_continue(const bl_poly_unit *poly, bl_poly_envelopes *envelopes,
                               uint32_t first) BL_NONBLOCKING {
    for (uint32_t lane = 0; lane < BL_LANES; lane += 1) {
        if (envelopes->position[lane] < envelopes->length[lane]) {
            continue;
        }
        float sustain = envelopes->sustain[lane], to = envelopes->to[lane];
        if (envelopes->stages[lane] == BL_POLY_ATTACKS) {
            set(envelopes, lane, BL_POLY_DECAYS, to, sustain,
                frames_of(poly, first + BL_POLY_DECAY));
        } else if (envelopes->stages[lane] <= BL_POLY_SUSTAINS) {
            set(envelopes, lane, BL_POLY_SUSTAINS, to, to, WITHOUT_END);
        } else {
            set(envelopes, lane, BL_POLY_ENDED, to, to, WITHOUT_END);
        }
    }
}

float bl_poly_level(const bl_poly_unit *poly, uint32_t slot) BL_NONBLOCKING {
    const bl_poly_group *group = &poly->groups[slot / BL_LANES];
    uint32_t lane = slot % BL_LANES;
    return value_of(&group->amplifier, lane) * group->velocity[lane];
}
