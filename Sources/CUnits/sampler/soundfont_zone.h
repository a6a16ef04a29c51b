/* The generators of a SoundFont's zones, and the region of a zone. */
#pragma once

#include "sampler/soundfont_chunks.h"

/* Generators by their numbers in the specification, 8.1.3. */
typedef enum bl_generator {
    BL_GENERATOR_START = 0,
    BL_GENERATOR_END = 1,
    BL_GENERATOR_LOOP_START = 2,
    BL_GENERATOR_LOOP_END = 3,
    BL_GENERATOR_START_COARSE = 4,
    BL_GENERATOR_LFO_TO_PITCH = 5,
    BL_GENERATOR_VIBRATO_TO_PITCH = 6,
    BL_GENERATOR_ENVELOPE_TO_PITCH = 7,
    BL_GENERATOR_CUTOFF = 8,
    BL_GENERATOR_RESONANCE = 9,
    BL_GENERATOR_LFO_TO_CUTOFF = 10,
    BL_GENERATOR_ENVELOPE_TO_CUTOFF = 11,
    BL_GENERATOR_END_COARSE = 12,
    BL_GENERATOR_LFO_TO_VOLUME = 13,
    BL_GENERATOR_PAN = 17,
    BL_GENERATOR_LFO_DELAY = 21,
    BL_GENERATOR_LFO_RATE = 22,
    BL_GENERATOR_VIBRATO_DELAY = 23,
    BL_GENERATOR_VIBRATO_RATE = 24,
    BL_GENERATOR_MODULATION_DELAY = 25, /* then attack, hold, decay, sustain, release, and hold and
                                           decay by key */
    BL_GENERATOR_VOLUME_DELAY = 33,     /* the same */
    BL_GENERATOR_INSTRUMENT = 41,
    BL_GENERATOR_KEYS = 43,
    BL_GENERATOR_VELOCITIES = 44,
    BL_GENERATOR_LOOP_START_COARSE = 45,
    BL_GENERATOR_FIXED_KEY = 46,
    BL_GENERATOR_FIXED_VELOCITY = 47,
    BL_GENERATOR_ATTENUATION = 48,
    BL_GENERATOR_LOOP_END_COARSE = 50,
    BL_GENERATOR_COARSE_TUNE = 51,
    BL_GENERATOR_FINE_TUNE = 52,
    BL_GENERATOR_SAMPLE = 53,
    BL_GENERATOR_SAMPLE_MODES = 54,
    BL_GENERATOR_SCALE_TUNING = 56,
    BL_GENERATOR_EXCLUSIVE_CLASS = 57,
    BL_GENERATOR_ROOT_KEY = 58,
    BL_GENERATOR_COUNT = 61
} bl_generator;

/* A modulator of a generator (8.2). Two are the same if all but their amounts are equal. */
typedef struct bl_zone_modulator {
    uint32_t source, destination, amount_source, transform;
    int32_t amount;
} bl_zone_modulator;

enum { BL_ZONE_MODULATORS = 32 };

/* The amounts of generators. A range has its low end in the low byte. */
typedef struct bl_zone {
    int32_t amounts[BL_GENERATOR_COUNT];
    bool set[BL_GENERATOR_COUNT];
    bl_zone_modulator modulators[BL_ZONE_MODULATORS];
    uint32_t modulator_count;
} bl_zone;

/* Sets the default amounts of an instrument's zone. */
void bl_zone_begin(bl_zone *zone);
/* Adds a preset's zone to an instrument's; false if no note plays both. */
bool bl_zone_add(bl_zone *zone, const bl_zone *preset);
/* Makes the region of a zone that plays `sample`; false if the zone exceeds the sample's bounds, to
   which it is limited. */
bool bl_zone_region(const bl_zone *zone, bl_sample *sample, bl_region *region);

/* Replaces the amount of a modulator of the zone, or adds to it, or adds the modulator; false if
   the zone has no room for one more. */
bool bl_zone_modulate(bl_zone *zone, const bl_zone_modulator *modulator, bool adds);
/* Adds the default modulators to an instrument's zone. */
void bl_zone_begin_modulators(bl_zone *zone);
/* Converts a zone's modulators to the region's, if the sampler has their targets; the others are
   added to `left_out`. False when memory is short. */
bool bl_zone_apply_modulators(const bl_zone *zone, bl_region *region, bl_arena *arena,
                              uint32_t *left_out);
