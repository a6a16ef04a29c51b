/* What keys and controllers say of eight voices that are computed at once, a voice a lane. */
#pragma once

#include "base/keys.h"
#include "dsp/lanes_ramp.h"

typedef struct bl_voice_lanes {
    uint32_t active;        /* voices that are not free */
    bl_lanes pitch;         /* of the key, octaves above 440 Hz */
    bl_lanes_ramp bend;     /* octaves; it comes in steps */
    bl_lanes velocity;      /* 0 to 1 */
    bl_lanes_int age;       /* frames */
    bl_lanes_ramp loudness; /* from pressure, volume, expression */
    bl_lanes_ramp wheel, pressure, timbre;
    bl_lanes_ramp pan;  /* -1 to 1; 0 unless the note expresses it */
    bl_lanes_ramp fade; /* 1; down to 0 for a voice that is cut off */
} bl_voice_lanes;

/* The values at a frame of those that are ramps. */
typedef struct bl_voice_now {
    bl_lanes bend, wheel, pressure, timbre, pan;
    bl_lanes level; /* loudness, faded */
    bl_lanes age;   /* frames */
} bl_voice_now;

/* Gives a voice the pitch of its key, and aims at the bend of its channel; `range`, in semitones,
   of channels without one of their own. [render or idle] */
void bl_voice_lanes_tune(bl_voice_lanes *lanes, uint32_t lane, const bl_keys *keys, uint32_t slot,
                         float range, double sample_rate) BL_NONBLOCKING;

/* Aims at what the voice's channel has; `force` is a factor of the loudness. [render] */
void bl_voice_lanes_express(bl_voice_lanes *lanes, uint32_t lane, const bl_keys *keys,
                            uint32_t slot, float force, double sample_rate) BL_NONBLOCKING;

/* Puts the voice at what it was last told. [render] */
void bl_voice_lanes_start(bl_voice_lanes *lanes, uint32_t lane) BL_NONBLOCKING;

/* Cuts the voice off within 10 ms; a voice that was never heard just goes. [render] */
void bl_voice_lanes_fade(bl_voice_lanes *lanes, uint32_t lane, bl_key_voice *voice,
                         double sample_rate) BL_NONBLOCKING;

/* Frees a voice that has ended, or has faded. [render] */
void bl_voice_lanes_free(bl_voice_lanes *lanes, uint32_t lane, bl_key_voice *voice,
                         bool has_ended) BL_NONBLOCKING;

/* The values at this frame; moves on to the next. [render] */
BL_INLINE void bl_voice_lanes_tick(bl_voice_lanes *lanes, bl_voice_now *now) BL_NONBLOCKING {
    bl_lanes loudness, fade;
    bl_lanes_ramp_tick(&lanes->loudness, &loudness);
    bl_lanes_ramp_tick(&lanes->bend, &now->bend);
    bl_lanes_ramp_tick(&lanes->wheel, &now->wheel);
    bl_lanes_ramp_tick(&lanes->pressure, &now->pressure);
    bl_lanes_ramp_tick(&lanes->timbre, &now->timbre);
    bl_lanes_ramp_tick(&lanes->pan, &now->pan);
    bl_lanes_ramp_tick(&lanes->fade, &fade);
    now->level = loudness * (fade * fade * (3.0f - 2.0f * fade));
    now->age = __builtin_convertvector(lanes->age, bl_lanes);
    lanes->age += lanes->age < 0x40000000 ? (bl_lanes_int)1 : (bl_lanes_int)0;
}
