/* An envelope in each lane, for eight voices. A stage moves from one value to another like a
   charging capacitor: an attack towards half more than the peak, the others by 60 dB. */
#pragma once

#include "backline/ramp.h"
#include "lanes_math.h"

/* An envelope's parameters, side by side in a unit's table: seconds, and a sustain of 0 to 100. */
enum {
    BL_LANES_ATTACK,
    BL_LANES_DECAY,
    BL_LANES_SUSTAIN,
    BL_LANES_RELEASE,
    BL_LANES_ENVELOPE_PARAMETERS
};

typedef enum bl_lanes_stage {
    BL_LANES_ATTACKS,
    BL_LANES_DECAYS,
    BL_LANES_SUSTAINS,
    BL_LANES_RELEASES,
    BL_LANES_ENDED
} bl_lanes_stage;

typedef struct bl_lanes_envelope {
    bl_lanes_int position, length; /* frames */
    bl_lanes from, to;             /* 0 to 1 */
    bl_lanes curve;                /* octaves of the exponential */
    bl_lanes scale;                /* 1 / (1 - 2^-curve) */
    bl_lanes rate;                 /* frames per second of the stage's time */
    bl_lanes_stage stages[BL_LANES];
    float decay, sustain, release; /* parameters as last followed */
} bl_lanes_envelope;

/* Ends all lanes, or one, at 0. [render or idle] */
void bl_lanes_envelope_reset(bl_lanes_envelope *envelope) BL_NONBLOCKING;
void bl_lanes_envelope_end(bl_lanes_envelope *envelope, uint32_t lane) BL_NONBLOCKING;

/* Starts the attack, or the release, from the present value. `parameters`: the four of the
   envelope; `rate`: frames per second of attack and decay, or of the release. [render] */
void bl_lanes_envelope_attack(bl_lanes_envelope *envelope, uint32_t lane, const bl_ramp *parameters,
                              float rate) BL_NONBLOCKING;
void bl_lanes_envelope_release(bl_lanes_envelope *envelope, uint32_t lane,
                               const bl_ramp *parameters, float rate) BL_NONBLOCKING;

/* Follows changes of decay, sustain and release, once a stretch: a falling lane continues from its
   value, and a sustaining one decays to its new sustain. [render] */
void bl_lanes_envelope_follow(bl_lanes_envelope *envelope,
                              const bl_ramp *parameters) BL_NONBLOCKING;

/* Starts the next stage of lanes whose stage has ended. [render] */
void bl_lanes_envelope_continue(bl_lanes_envelope *envelope,
                                const bl_ramp *parameters) BL_NONBLOCKING;

/* The present value. [render] */
float bl_lanes_envelope_value(const bl_lanes_envelope *envelope, uint32_t lane) BL_NONBLOCKING;

/* Computes the values of running stages; advances by one frame. [render] */
BL_INLINE void bl_lanes_envelope_tick(bl_lanes_envelope *envelope,
                                      bl_lanes *values) BL_NONBLOCKING {
    bl_lanes share = __builtin_convertvector(envelope->position, bl_lanes) /
                     __builtin_convertvector(envelope->length, bl_lanes);
    bl_lanes left = -envelope->curve * share;
    bl_lanes_exp2(&left);
    bl_lanes way = (1.0f - left) * envelope->scale;
    *values = envelope->from + (envelope->to - envelope->from) * way;
    envelope->position += 1;
}

/* Whether a stage has ended. [render] */
BL_INLINE bool bl_lanes_envelope_ends(const bl_lanes_envelope *envelope) BL_NONBLOCKING {
    bool ends = false;
    for (uint32_t lane = 0; lane < BL_LANES; lane += 1) {
        ends |= envelope->position[lane] >= envelope->length[lane];
    }
    return ends;
}
