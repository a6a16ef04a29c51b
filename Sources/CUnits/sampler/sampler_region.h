/* The description of a range of keys in a file: its sample, its conditions and its sound. Names are
   mostly SFZ's (sfzformat.info); SoundFont 2.04 has the same in other words. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sampler/sampler_sample.h"

enum {
    BL_KEYS = 128,
    /* A region's controllers: MIDI's 0 to 127, and these with SFZ's numbers. */
    BL_SOURCE_BEND = 128,     /* -1 to 1 */
    BL_SOURCE_PRESSURE = 129, /* channel pressure */
    BL_SOURCE_COUNT = 130,
    /* The highest numbers in one region. */
    BL_REGION_CONDITIONS = 8,
    BL_REGION_MODULATIONS = 24,
    BL_REGION_FADES = 8
};

typedef enum bl_trigger {
    BL_TRIGGER_ATTACK,
    BL_TRIGGER_RELEASE,     /* when key and pedal are released */
    BL_TRIGGER_FIRST,       /* while no other key is down */
    BL_TRIGGER_LEGATO,      /* while another key is down */
    BL_TRIGGER_RELEASE_KEY, /* when the key is released */
    BL_TRIGGER_CONTROLLER   /* when a controller enters its range */
} bl_trigger;

typedef enum bl_loop_mode {
    BL_LOOP_OF_SAMPLE, /* as in the sample file */
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
    BL_FILTER_NONE /* or a cutoff of 0 */
} bl_filter_type;

/* How voices end that another group ends: at once, with their release, or within a time. */
typedef enum bl_off_mode { BL_OFF_FAST, BL_OFF_NORMAL, BL_OFF_TIME } bl_off_mode;

/* Delay, attack, hold, decay, sustain, release: seconds; levels in percent. */
typedef struct bl_sampler_envelope {
    float start, delay, attack, hold, decay, sustain, release;
    /* The additions at full velocity. */
    float delay_by_velocity, attack_by_velocity, hold_by_velocity, decay_by_velocity,
        sustain_by_velocity, release_by_velocity;
    float hold_by_key, decay_by_key; /* octaves of time for each key below 60 */
} bl_sampler_envelope;

/* An envelope for pitch and cutoff, 0 to 1, in cents. */
typedef struct bl_sampler_motion {
    bl_sampler_envelope envelope;
    float pitch, cutoff, depth_by_velocity;
    bool convex; /* a convex attack, as in SoundFont */
} bl_sampler_motion;

enum { BL_MOTION_FILTER, BL_MOTION_PITCH, BL_MOTION_COUNT };

/* A sine or triangle LFO. Depths: cents, cents, dB. */
typedef struct bl_sampler_lfo {
    float delay, fade, rate; /* seconds, seconds, Hz */
    float pitch, cutoff, volume;
    bool triangle;
} bl_sampler_lfo;

/* The LFOs; SoundFont's vibrato LFO is the first, its modulation LFO the second. */
enum { BL_LFO_PITCH, BL_LFO_FILTER, BL_LFO_VOLUME, BL_SAMPLER_LFO_COUNT };

/* A target of a controller. */
typedef enum bl_target {
    /* Targets that move all the time. */
    BL_TARGET_VOLUME,    /* dB */
    BL_TARGET_AMPLITUDE, /* percent; several are multiplied */
    BL_TARGET_PAN,       /* percent */
    BL_TARGET_TUNE,      /* cents */
    BL_TARGET_CUTOFF,    /* cents */
    BL_TARGET_RESONANCE, /* dB */
    BL_TARGET_LFO_DEPTH, /* pitch of the first LFO, cutoff of the second, volume of the third */
    BL_TARGET_LFO_RATE = BL_TARGET_LFO_DEPTH + BL_SAMPLER_LFO_COUNT, /* Hz */
    /* Targets that are read at a note's start. */
    BL_TARGET_DELAY = BL_TARGET_LFO_RATE + BL_SAMPLER_LFO_COUNT, /* seconds */
    BL_TARGET_OFFSET,                                            /* frames */
    BL_TARGET_ATTACK, /* seconds, of the level envelope */
    BL_TARGET_HOLD,
    BL_TARGET_DECAY,
    BL_TARGET_SUSTAIN, /* percent */
    BL_TARGET_RELEASE,
    BL_TARGET_COUNT
} bl_target;

typedef struct bl_modulation {
    uint8_t source;
    uint8_t target;
    float amount; /* at a source value of 127 */
} bl_modulation;

typedef struct bl_condition {
    uint8_t source;
    bool starts;     /* starts the region when the source enters the range */
    float low, high; /* 0 to 127 */
} bl_condition;

/* A fade in (or out) while `source` goes from `low` to `high`. */
typedef struct bl_cross_fade {
    uint8_t source;
    bool out;
    float low, high; /* 0 to 127 */
} bl_cross_fade;

typedef struct bl_region {
    bl_sample *sample; /* NULL: silence, which still ends other groups */

    /* The region's conditions. */
    int32_t low_key, high_key, low_velocity, high_velocity, low_channel, high_channel;
    float low_random, high_random;
    int32_t sequence_length, sequence_position;
    int32_t trigger;
    int32_t switch_low_key, switch_high_key; /* the keyswitches among which `switch_last` counts */
    int32_t switch_last_low, switch_last_high, switch_down, switch_up, switch_previous,
        switch_default; /* keys, or -1 */
    uint32_t condition_count, fade_count, modulation_count;
    bl_condition conditions[BL_REGION_CONDITIONS];

    /* The group that it is in, and the groups that end it. */
    int32_t group, off_by, off_mode;
    float off_time;                    /* seconds */
    int32_t polyphony, note_polyphony; /* of the group, and of the group's key; 0: unlimited */

    /* The reading of its sample; frames of the sample. */
    float delay, delay_random; /* seconds */
    bool delays_sample_only;   /* not its pitch and filter envelopes, nor its LFOs */
    uint32_t offset, offset_random, end, loop_start, loop_end; /* exclusive ends; 0: the sample's */
    int32_t loop_mode;
    float loop_crossfade; /* seconds */
    bool has_loop_start, has_loop_end;

    /* Its pitch: cents, keys. */
    int32_t center_key, transpose;
    int32_t fixed_key, fixed_velocity; /* instead of those played; or -1 */
    float tune, key_tracking, velocity_tracking, random_pitch, bend_up, bend_down;
    bool bend_by_range; /* uses the channel's bend range instead */

    /* Its level. */
    float volume, amplitude, pan;                        /* dB, percent, percent */
    float level_volumes[3], level_amplitudes[3];         /* from SFZ's levels above the region */
    float level_by_velocity, level_by_key, random_level; /* percent, dB per key, dB */
    int32_t level_center_key;
    float release_decay;          /* dB for each second that the key was down */
    const float *velocity_levels; /* BL_KEYS factors; NULL: the squared velocity */
    bl_cross_fade fades[BL_REGION_FADES];
    int32_t fade_in_keys[2], fade_out_keys[2], fade_in_velocities[2], fade_out_velocities[2];
    bool linear_key_fade, linear_velocity_fade, linear_controller_fade;
    bl_sampler_envelope envelope;
    float fall; /* fall of the level in a whole decay or release, dB */

    /* Its filter. */
    int32_t filter;
    float cutoff, resonance;                 /* Hz, 0: none; dB */
    float cutoff_by_key, cutoff_by_velocity; /* cents per key, cents at full velocity */
    int32_t cutoff_center_key;

    bl_sampler_motion motions[BL_MOTION_COUNT];
    bl_sampler_lfo lfos[BL_SAMPLER_LFO_COUNT];
    bl_modulation modulations[BL_REGION_MODULATIONS];
} bl_region;

/* Sets a region to its default values, before the file's. [control] */
void bl_region_begin(bl_region *region);

/* Frames at the end of its loop into which those before the loop's start fade. */
uint32_t bl_region_cross_fade(const bl_region *region) BL_NONBLOCKING;
/* The transposition in cents at its highest, or lowest (way 1 or -1), without bends and envelopes.
   [control] */
double bl_region_cents(const bl_region *region, double way);

/* Adds a modulation; false if the region has the maximum already. [control] */
bool bl_region_modulate(bl_region *region, uint32_t source, bl_target target, float amount);
