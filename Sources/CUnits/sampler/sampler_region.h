/* What a file says of a range of keys: which sample, when it sounds, and how. SFZ names most of it
   (sfzformat.info); SoundFont 2.04 says the same in other words. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sampler/sampler_sample.h"

enum {
    BL_KEYS = 128,
    /* Controllers of a region: MIDI's 0 to 127, and with SFZ's numbers these. */
    BL_SOURCE_BEND = 128,     /* -1 to 1 */
    BL_SOURCE_PRESSURE = 129, /* of the channel */
    BL_SOURCE_COUNT = 130,
    /* The most of each in one region. */
    BL_REGION_CONDITIONS = 8,
    BL_REGION_MODULATIONS = 24,
    BL_REGION_FADES = 8
};

typedef enum bl_trigger {
    BL_TRIGGER_ATTACK,
    BL_TRIGGER_RELEASE,     /* when the key and the pedal are up */
    BL_TRIGGER_FIRST,       /* while no other key is down */
    BL_TRIGGER_LEGATO,      /* while another key is down */
    BL_TRIGGER_RELEASE_KEY, /* when the key is up */
    BL_TRIGGER_CONTROLLER   /* when a controller comes into its range */
} bl_trigger;

typedef enum bl_loop_mode {
    BL_LOOP_OF_SAMPLE, /* as the sample file has it */
    BL_LOOP_NONE,
    BL_LOOP_ONE_SHOT, /* to the end, whatever the key does */
    BL_LOOP_CONTINUOUS,
    BL_LOOP_SUSTAIN /* until the key is released */
} bl_loop_mode;

typedef enum bl_filter_type {
    BL_FILTER_LOW_PASS_1,
    BL_FILTER_HIGH_PASS_1,
    BL_FILTER_LOW_PASS,
    BL_FILTER_HIGH_PASS,
    BL_FILTER_BAND_PASS,
    BL_FILTER_NOTCH,
    BL_FILTER_NONE /* the cutoff is 0 */
} bl_filter_type;

/* How voices end that another group ends: at once, by their release, or in their own time. */
typedef enum bl_off_mode { BL_OFF_FAST, BL_OFF_NORMAL, BL_OFF_TIME } bl_off_mode;

/* Delay, attack, hold, decay, sustain, release. Seconds; levels in percent. */
typedef struct bl_sampler_envelope {
    float start, delay, attack, hold, decay, sustain, release;
    /* What full velocity adds. */
    float delay_by_velocity, attack_by_velocity, hold_by_velocity, decay_by_velocity,
        sustain_by_velocity, release_by_velocity;
    float hold_by_key, decay_by_key; /* octaves of time for each key below 60 */
} bl_sampler_envelope;

/* An envelope for pitch and cutoff, 0 to 1, in cents. */
typedef struct bl_sampler_motion {
    bl_sampler_envelope envelope;
    float pitch, cutoff, depth_by_velocity;
    bool convex; /* the attack, as SoundFont has it */
} bl_sampler_motion;

enum { BL_MOTION_FILTER, BL_MOTION_PITCH, BL_MOTION_COUNT };

/* A sine or a triangle. Depths: cents, cents, dB. */
typedef struct bl_sampler_lfo {
    float delay, fade, rate; /* seconds, seconds, Hz */
    float pitch, cutoff, volume;
    bool triangle;
} bl_sampler_lfo;

/* SoundFont's vibrato LFO is the first, its modulation LFO the second. */
enum { BL_LFO_PITCH, BL_LFO_FILTER, BL_LFO_VOLUME, BL_SAMPLER_LFO_COUNT };

/* What a controller moves. */
typedef enum bl_target {
    /* All the time. */
    BL_TARGET_VOLUME,    /* dB */
    BL_TARGET_AMPLITUDE, /* percent; several multiply */
    BL_TARGET_PAN,       /* percent */
    BL_TARGET_TUNE,      /* cents */
    BL_TARGET_CUTOFF,    /* cents */
    BL_TARGET_RESONANCE, /* dB */
    BL_TARGET_LFO_DEPTH, /* of the first LFO's pitch, the second's cutoff, the third's volume */
    BL_TARGET_LFO_RATE = BL_TARGET_LFO_DEPTH + BL_SAMPLER_LFO_COUNT, /* Hz */
    /* As a note begins. */
    BL_TARGET_DELAY = BL_TARGET_LFO_RATE + BL_SAMPLER_LFO_COUNT, /* seconds */
    BL_TARGET_OFFSET,                                            /* frames */
    BL_TARGET_ATTACK,                                            /* seconds, of the amplitude */
    BL_TARGET_HOLD,
    BL_TARGET_DECAY,
    BL_TARGET_SUSTAIN, /* percent */
    BL_TARGET_RELEASE,
    BL_TARGET_COUNT
} bl_target;

typedef struct bl_modulation {
    uint8_t source;
    uint8_t target;
    float amount; /* at the source's 127 */
} bl_modulation;

typedef struct bl_condition {
    uint8_t source;
    bool starts;     /* the region, as the source comes into the range */
    float low, high; /* 0 to 127 */
} bl_condition;

/* Fades in (or out) while `source` goes from `low` to `high`. */
typedef struct bl_cross_fade {
    uint8_t source;
    bool out;
    float low, high; /* 0 to 127 */
} bl_cross_fade;

typedef struct bl_region {
    bl_sample *sample; /* NULL: silence, which still chokes others */

    /* When it sounds. */
    int32_t low_key, high_key, low_velocity, high_velocity, low_channel, high_channel;
    float low_random, high_random;
    int32_t sequence_length, sequence_position;
    int32_t trigger;
    int32_t switch_low_key, switch_high_key; /* the keys among which `switch_last` counts */
    int32_t switch_last_low, switch_last_high, switch_down, switch_up, switch_previous,
        switch_default; /* keys; -1: none */
    uint32_t condition_count, fade_count, modulation_count;
    bl_condition conditions[BL_REGION_CONDITIONS];

    /* What it ends, and what ends it. */
    int32_t group, off_by, off_mode;
    float off_time;                    /* seconds */
    int32_t polyphony, note_polyphony; /* of the group, and of the group's key; 0: as it comes */

    /* How its sample is read. Frames of the sample */
    float delay, delay_random; /* seconds */
    bool delays_sample_only;   /* not its envelopes of pitch and filter, nor its oscillators */
    uint32_t offset, offset_random, end, loop_start, loop_end; /* the ends are past the last frame;
                                                                  `end` 0: the sample's */
    int32_t loop_mode;
    float loop_crossfade; /* seconds */
    bool has_loop_start, has_loop_end;

    /* Pitch. Cents, keys */
    int32_t center_key, transpose;
    int32_t fixed_key, fixed_velocity; /* instead of those played; -1: none */
    float tune, key_tracking, velocity_tracking, random_pitch, bend_up, bend_down;
    bool bend_by_range; /* by the channel's bend range instead */

    /* Level. */
    float volume, amplitude, pan;                /* dB, percent, percent */
    float level_volumes[3], level_amplitudes[3]; /* what SFZ's levels above a region add to them */
    float level_by_velocity, level_by_key, random_level; /* percent, dB per key, dB */
    int32_t level_center_key;
    float release_decay;          /* dB for each second that the key was down */
    const float *velocity_levels; /* BL_KEYS factors; NULL: the square */
    bl_cross_fade fades[BL_REGION_FADES];
    int32_t fade_in_keys[2], fade_out_keys[2], fade_in_velocities[2], fade_out_velocities[2];
    bool linear_key_fade, linear_velocity_fade, linear_controller_fade;
    bl_sampler_envelope envelope;
    float fall; /* dB by which the level has fallen after a whole decay or release */

    /* Filter. */
    int32_t filter;
    float cutoff, resonance;                 /* Hz; 0: none. dB */
    float cutoff_by_key, cutoff_by_velocity; /* cents per key, cents at full velocity */
    int32_t cutoff_center_key;

    bl_sampler_motion motions[BL_MOTION_COUNT];
    bl_sampler_lfo lfos[BL_SAMPLER_LFO_COUNT];
    bl_modulation modulations[BL_REGION_MODULATIONS];
} bl_region;

/* A region as a file finds it that says nothing. [control] */
void bl_region_begin(bl_region *region);

/* Frames at the end of its loop into which those before its beginning fade. */
uint32_t bl_region_cross_fade(const bl_region *region) BL_NONBLOCKING;
/* Cents by which it is transposed where it is played highest, or lowest (way 1 or -1), without
   bends and envelopes. [control] */
double bl_region_cents(const bl_region *region, double way);

/* False where the region has as many already. [control] */
bool bl_region_modulate(bl_region *region, uint32_t source, bl_target target, float amount);
