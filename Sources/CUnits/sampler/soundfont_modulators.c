/* The modulators of a SoundFont's zones: velocity and controllers that move generators. */
#include <math.h>

#include "sampler/soundfont_zone.h"

/* Parts of a source (8.2.1). */
enum {
    INDEX = 0x7F,
    IS_CONTROLLER = 0x80,
    IS_NEGATIVE = 0x100,
    IS_BIPOLAR = 0x200,
    VELOCITY = 2,
    PRESSURE = 13
};
/* Generators of effect sends. */
enum { CHORUS = 15, REVERB = 16 };
typedef enum curve { LINEAR, CONCAVE, CONVEX, SWITCH } curve;

void bl_zone_begin_modulators(bl_zone *zone) {
    /* The default modulators of 8.4; level and pan of a channel are the same for all zones. */
    static const bl_zone_modulator usual[] = {
        {.source = 0x0502, .destination = BL_GENERATOR_ATTENUATION, .amount = 960},
        {.source = 0x0081, .destination = BL_GENERATOR_VIBRATO_TO_PITCH, .amount = 50},
        {.source = 0x000D, .destination = BL_GENERATOR_VIBRATO_TO_PITCH, .amount = 50},
    };
    for (uint32_t index = 0; index < sizeof usual / sizeof usual[0]; index += 1) {
        bl_zone_modulate(zone, &usual[index], false);
    }
}

bool bl_zone_modulate(bl_zone *zone, const bl_zone_modulator *modulator, bool adds) {
    for (uint32_t index = 0; index < zone->modulator_count; index += 1) {
        bl_zone_modulator *own = &zone->modulators[index];
        if (own->source == modulator->source && own->destination == modulator->destination &&
            own->amount_source == modulator->amount_source &&
            own->transform == modulator->transform) {
            own->amount = (adds ? own->amount : 0) + modulator->amount;
            return true;
        }
    }
    if (zone->modulator_count == BL_ZONE_MODULATORS) {
        return false;
    }
    zone->modulators[zone->modulator_count++] = *modulator;
    return true;
}

static float concave(float share) {
    float value = share < 1 ? -40 / 96.0f * log10f(1 - share) : 1;
    return value < 1 ? value : 1;
}

/* The curve of a source for a share of 0 to 1. */
static float shape(uint32_t source, float share) {
    share = source & IS_NEGATIVE ? 1 - share : share;
    curve curve = (source >> 10) & 3;
    float value = curve == CONCAVE  ? concave(share)
                  : curve == CONVEX ? 1 - concave(1 - share)
                  : curve == SWITCH ? (share >= 0.5f ? 1.0f : 0.0f)
                                    : share;
    return source & IS_BIPOLAR ? 2 * value - 1 : value;
}

static bool is_of_velocity_levels(const bl_zone_modulator *modulator) {
    return (modulator->source & (IS_CONTROLLER | INDEX)) == VELOCITY &&
           modulator->destination == BL_GENERATOR_ATTENUATION && modulator->amount_source == 0;
}

/* Sets a level for each velocity, if a zone has other modulators than the default. */
static bool set_velocity_levels(const bl_zone *zone, bl_region *region, bl_arena *arena) {
    float *levels = bl_arena_allocate(arena, BL_KEYS, sizeof *levels);
    for (uint32_t velocity = 0; levels != NULL && velocity < BL_KEYS; velocity += 1) {
        float centibels = 0;
        for (uint32_t index = 0; index < zone->modulator_count; index += 1) {
            const bl_zone_modulator *modulator = &zone->modulators[index];
            if (is_of_velocity_levels(modulator)) {
                centibels += (float)modulator->amount *
                             shape(modulator->source, (float)(int32_t)velocity / 127);
            }
        }
        levels[velocity] = centibels > 0 ? powf(10, -centibels / 200) : 1;
    }
    region->velocity_levels = levels;
    return levels != NULL;
}

/* The controller target of a generator, and the target's amount for one of the generator's unit. */
static bool target_of(uint32_t generator, bl_target *target, float *unit) {
    static const struct {
        uint32_t generator;
        bl_target target;
        float unit;
    } targets[] = {
        {BL_GENERATOR_ATTENUATION, BL_TARGET_VOLUME, -0.1f},
        {BL_GENERATOR_PAN, BL_TARGET_PAN, 0.2f},
        {BL_GENERATOR_CUTOFF, BL_TARGET_CUTOFF, 1},
        {BL_GENERATOR_RESONANCE, BL_TARGET_RESONANCE, 0.1f},
        {BL_GENERATOR_COARSE_TUNE, BL_TARGET_TUNE, 100},
        {BL_GENERATOR_FINE_TUNE, BL_TARGET_TUNE, 1},
        {BL_GENERATOR_VIBRATO_TO_PITCH, BL_TARGET_LFO_DEPTH + BL_LFO_PITCH, 1},
        {BL_GENERATOR_LFO_TO_CUTOFF, BL_TARGET_LFO_DEPTH + BL_LFO_FILTER, 1},
    };
    for (uint32_t index = 0; index < sizeof targets / sizeof targets[0]; index += 1) {
        if (targets[index].generator == generator) {
            *target = targets[index].target;
            *unit = targets[index].unit;
            return true;
        }
    }
    return false;
}

/* Adds a target's constant value while its controller is at 0. */
static bool offset(bl_region *region, bl_target target, float amount) {
    switch (target) {
    case BL_TARGET_VOLUME: region->volume += amount; return true;
    case BL_TARGET_PAN: region->pan += amount; return true;
    case BL_TARGET_TUNE: region->tune += amount; return true;
    case BL_TARGET_CUTOFF: region->cutoff *= exp2f(amount / 1200); return true;
    case BL_TARGET_RESONANCE: region->resonance += amount; return true;
    default: return amount == 0;
    }
}

/* Whether a modulator does what a channel does in any case, or feeds an effect. */
static bool is_of_channel(const bl_zone_modulator *modulator) {
    uint32_t source = modulator->source, destination = modulator->destination;
    bool is_level = source == 0x0587 || source == 0x058B;
    return destination == CHORUS || destination == REVERB ||
           (is_level && destination == BL_GENERATOR_ATTENUATION) ||
           (source == 0x028A && destination == BL_GENERATOR_PAN);
}

/* Applies a modulator; false if the sampler does not support it. */
static bool apply(const bl_zone_modulator *modulator, bl_region *region) {
    uint32_t index = modulator->source & INDEX;
    bool is_controller = modulator->source & IS_CONTROLLER;
    float amount = (float)modulator->amount;
    bl_target target;
    float unit;
    if (modulator->amount_source != 0 || modulator->transform != 0 ||
        (modulator->source >> 10 & 3) != LINEAR ||
        !target_of(modulator->destination, &target, &unit)) {
        return false;
    }
    float start = shape(modulator->source, 0) * amount * unit;
    float change = (shape(modulator->source, 1) - shape(modulator->source, 0)) * amount * unit;
    if (!is_controller && index == VELOCITY && target == BL_TARGET_CUTOFF) {
        region->cutoff_by_velocity += change;
        return offset(region, target, start);
    }
    if (is_controller || index == PRESSURE) {
        return bl_region_modulate(region, is_controller ? index : BL_SOURCE_PRESSURE, target,
                                  change) &&
               offset(region, target, start);
    }
    return false;
}

bool bl_zone_apply_modulators(const bl_zone *zone, bl_region *region, bl_arena *arena,
                              uint32_t *left_out) {
    bool usual_levels = true;
    for (uint32_t index = 0; index < zone->modulator_count; index += 1) {
        const bl_zone_modulator *modulator = &zone->modulators[index];
        if (is_of_velocity_levels(modulator)) {
            usual_levels = usual_levels && index == 0 && modulator->amount == 960;
        } else if (modulator->amount != 0 && !is_of_channel(modulator)) {
            *left_out += !apply(modulator, region);
        }
    }
    return usual_levels || set_velocity_levels(zone, region, arena);
}
