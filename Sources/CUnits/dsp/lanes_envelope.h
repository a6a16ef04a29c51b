/* An envelope in each lane: of eight voices. A stage goes from a value to another as a capacitor is
   charged: an attack as one that is charged to half more than the peak, the others by 60 dB. */
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
    bl_lanes rate;                 /* frames to a second of the stage's time */
    bl_lanes_stage stages[BL_LANES];
    float decay, sustain, release; /* as the parameters were when they were followed last */
} bl_lanes_envelope;

/* Ends all lanes, or one: they wait at 0. [render or idle] */
void bl_lanes_envelope_reset(bl_lanes_envelope *envelope) BL_NONBLOCKING;
void bl_lanes_envelope_end(bl_lanes_envelope *envelope, uint32_t lane) BL_NONBLOCKING;

/* Begins the attack, or the release, from where it is. `parameters` are the four of the envelope,
   `rate` the frames to a second of attack and decay, or of the release. [render] */
void bl_lanes_envelope_attack(bl_lanes_envelope *envelope, uint32_t lane, const bl_ramp *parameters,
                              float rate) BL_NONBLOCKING;
void bl_lanes_envelope_release(bl_lanes_envelope *envelope, uint32_t lane,
                               const bl_ramp *parameters, float rate) BL_NONBLOCKING;

/* Follows decay, sustain and release as they are now, once a stretch: a lane that falls goes on
   from where it is, and one that sustains falls or rises to its new sustain as it decays. [render]
 */
void bl_lanes_envelope_follow(bl_lanes_envelope *envelope,
                              const bl_ramp *parameters) BL_NONBLOCKING;

/* Goes on with the lanes whose stage has come to its end. [render] */
void bl_lanes_envelope_continue(bl_lanes_envelope *envelope,
                                const bl_ramp *parameters) BL_NONBLOCKING;

/* The present value. [render] */
float bl_lanes_envelope_value(const bl_lanes_envelope *envelope, uint32_t lane) BL_NONBLOCKING;

/* The values of stages that go on; moves on to the next frame. [render] */
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

/* Whether a stage has come to its end. [render] */
BL_INLINE bool bl_lanes_envelope_ends(const bl_lanes_envelope *envelope) BL_NONBLOCKING {
    bool ends = false;
    for (uint32_t lane = 0; lane < BL_LANES; lane += 1) {
        ends |= envelope->position[lane] >= envelope->length[lane];
    }
    return ends;
}
