/* The state of eight voices by keys and controllers, computed at once, one voice in each lane. */
#pragma once

#include "base/keys.h"
#include "dsp/lanes_ramp.h"

typedef struct bl_voice_lanes {
    uint32_t active;        /* bits of the voices that are not free */
    bl_lanes pitch;         /* the key's pitch, octaves above 440 Hz */
    bl_lanes_ramp bend;     /* octaves; its steps are smoothed */
    bl_lanes velocity;      /* 0 to 1 */
    bl_lanes_int age;       /* frames since the start */
    bl_lanes_ramp loudness; /* from pressure, volume, expression */
    bl_lanes_ramp wheel, pressure, timbre;
    bl_lanes_ramp pan;  /* -1 to 1; 0 unless set by a note expression */
    bl_lanes_ramp fade; /* 1; falls to 0 for a voice that is cut off */
} bl_voice_lanes;

/* Values of the ramps at one frame. */
typedef struct bl_voice_now {
    bl_lanes bend, wheel, pressure, timbre, pan;
    bl_lanes level; /* loudness × fade */
    bl_lanes age;   /* frames */
} bl_voice_now;

/* Sets a voice's pitch from its key, and its target bend from its channel; `range`: semitones, for
   channels without a bend range of their own. [render or idle] */
void bl_voice_lanes_tune(bl_voice_lanes *lanes, uint32_t lane, const bl_keys *keys, uint32_t slot,
                         float range, double sample_rate) BL_NONBLOCKING;

/* Sets a voice's targets from its channel; `force` is a gain factor. [render] */
void bl_voice_lanes_express(bl_voice_lanes *lanes, uint32_t lane, const bl_keys *keys,
                            uint32_t slot, float force, double sample_rate) BL_NONBLOCKING;

/* Moves the voice to its targets at once. [render] */
void bl_voice_lanes_start(bl_voice_lanes *lanes, uint32_t lane) BL_NONBLOCKING;

/* Fades the voice out within 10 ms; frees a voice that was never heard. [render] */
void bl_voice_lanes_fade(bl_voice_lanes *lanes, uint32_t lane, bl_key_voice *voice,
                         double sample_rate) BL_NONBLOCKING;

/* Frees a voice that has ended or faded out. [render] */
void bl_voice_lanes_free(bl_voice_lanes *lanes, uint32_t lane, bl_key_voice *voice,
                         bool has_ended) BL_NONBLOCKING;

/* Returns the values at this frame; advances by one frame. [render] */
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
