#include "sampler/soundfont_zone.h"

#include <math.h>

/* The factor by which hardware and players scale initial attenuation. */
#define ATTENUATION_SCALE 0.4f
/* The range of the volume envelope, dB. */
#define VOLUME_RANGE 96.0f
/* A time that means none, timecents. */
#define NO_TIME (-12000)

void bl_zone_begin(bl_zone *zone) {
    *zone = (bl_zone){.amounts = {0}};
    bl_zone_begin_modulators(zone);
    for (uint32_t index = BL_GENERATOR_MODULATION_DELAY; index < BL_GENERATOR_INSTRUMENT;
         index += 8) {
        for (uint32_t stage = 0; stage < 6; stage += 1) {
            zone->amounts[index + stage] = stage == 4 ? 0 : NO_TIME;
        }
    }
    zone->amounts[BL_GENERATOR_CUTOFF] = 13500;
    zone->amounts[BL_GENERATOR_LFO_DELAY] = NO_TIME;
    zone->amounts[BL_GENERATOR_VIBRATO_DELAY] = NO_TIME;
    zone->amounts[BL_GENERATOR_KEYS] = 127 << 8;
    zone->amounts[BL_GENERATOR_VELOCITIES] = 127 << 8;
    zone->amounts[BL_GENERATOR_FIXED_KEY] = -1;
    zone->amounts[BL_GENERATOR_FIXED_VELOCITY] = -1;
    zone->amounts[BL_GENERATOR_SCALE_TUNING] = 100;
    zone->amounts[BL_GENERATOR_ROOT_KEY] = -1;
}

static int32_t low(int32_t range) { return range & 0xFF; }
static int32_t high(int32_t range) { return range >> 8 & 0xFF; }

/* Whether only an instrument's zone has the generator. */
static bool is_of_instruments(uint32_t generator) {
    switch (generator) {
    case BL_GENERATOR_START:
    case BL_GENERATOR_END:
    case BL_GENERATOR_LOOP_START:
    case BL_GENERATOR_LOOP_END:
    case BL_GENERATOR_START_COARSE:
    case BL_GENERATOR_END_COARSE:
    case BL_GENERATOR_INSTRUMENT:
    case BL_GENERATOR_LOOP_START_COARSE:
    case BL_GENERATOR_FIXED_KEY:
    case BL_GENERATOR_FIXED_VELOCITY:
    case BL_GENERATOR_LOOP_END_COARSE:
    case BL_GENERATOR_SAMPLE:
    case BL_GENERATOR_SAMPLE_MODES:
    case BL_GENERATOR_EXCLUSIVE_CLASS:
    case BL_GENERATOR_ROOT_KEY: return true;
    default: return false;
    }
}

bool bl_zone_add(bl_zone *zone, const bl_zone *preset) {
    for (uint32_t generator = 0; generator < BL_GENERATOR_COUNT; generator += 1) {
        int32_t own = zone->amounts[generator], added = preset->amounts[generator];
        if (!preset->set[generator] || is_of_instruments(generator)) {
            continue;
        }
        if (generator == BL_GENERATOR_KEYS || generator == BL_GENERATOR_VELOCITIES) {
            int32_t from = low(own) > low(added) ? low(own) : low(added);
            int32_t to = high(own) < high(added) ? high(own) : high(added);
            if (from > to) {
                return false;
            }
            zone->amounts[generator] = to << 8 | from;
        } else {
            zone->amounts[generator] = own + added;
        }
    }
    for (uint32_t index = 0; index < preset->modulator_count; index += 1) {
        bl_zone_modulate(zone, &preset->modulators[index], true);
    }
    return true;
}

static float held(int32_t amount, int32_t least, int32_t most) {
    return (float)(amount < least ? least : amount > most ? most : amount);
}

/* Converts timecents to seconds. */
static float seconds(int32_t amount, int32_t most) {
    return amount <= NO_TIME ? 0 : exp2f(held(amount, NO_TIME, most) / 1200);
}

/* Converts absolute cents, which count from MIDI key 0, to Hz. */
static float hertz(float cents) { return 440 * exp2f((cents - 6900) / 1200); }

static bl_sampler_envelope envelope(const int32_t *amounts, bool is_volume) {
    float sustain = is_volume
                        ? 100 * powf(10, -held(amounts[4], 0, 1000) / 1000 * VOLUME_RANGE / 20)
                        : 100 - held(amounts[4], 0, 1000) / 10;
    bool silent = is_volume && amounts[4] >= 1000;
    return (bl_sampler_envelope){
        .delay = is_volume ? 0 : seconds(amounts[0], 5000),
        /* Even the shortest attack counts. */
        .attack = exp2f(held(amounts[1], NO_TIME, 8000) / 1200),
        .hold = seconds(amounts[2], 5000),
        .decay = seconds(amounts[3], 8000),
        .sustain = silent ? 0 : sustain,
        .release = seconds(amounts[5], 8000),
        .hold_by_key = held(amounts[6], -1200, 1200) / 1200,
        .decay_by_key = held(amounts[7], -1200, 1200) / 1200,
    };
}

/* Moves a position in the sample by a fine and a coarse generator. */
static bool move(int64_t place, int32_t fine, int32_t coarse, int64_t most, uint32_t *moved) {
    place += fine + 32768 * (int64_t)coarse;
    *moved = (uint32_t)(place < 0 ? 0 : place > most ? most : place);
    return place >= 0 && place <= most;
}

static bool set_bounds(const int32_t *amounts, const bl_sample *sample, bl_region *region) {
    int64_t most = sample->frames;
    bool fits = move(0, amounts[BL_GENERATOR_START], amounts[BL_GENERATOR_START_COARSE], most,
                     &region->offset);
    fits &=
        move(most, amounts[BL_GENERATOR_END], amounts[BL_GENERATOR_END_COARSE], most, &region->end);
    int32_t mode = amounts[BL_GENERATOR_SAMPLE_MODES];
    region->loop_mode = mode == 1 ? BL_LOOP_CONTINUOUS : mode == 3 ? BL_LOOP_SUSTAIN : BL_LOOP_NONE;
    if (region->loop_mode != BL_LOOP_NONE) {
        /* The loop may start before the sample, until the zone moves it. */
        fits &= move((int32_t)sample->loop_start, amounts[BL_GENERATOR_LOOP_START],
                     amounts[BL_GENERATOR_LOOP_START_COARSE], most, &region->loop_start);
        fits &= move((int32_t)sample->loop_end, amounts[BL_GENERATOR_LOOP_END],
                     amounts[BL_GENERATOR_LOOP_END_COARSE], most, &region->loop_end);
        /* An empty loop counts as none. */
        if (region->loop_start >= region->loop_end) {
            region->loop_mode = BL_LOOP_NONE;
        }
    }
    return fits;
}

static void set_motions(const int32_t *amounts, bl_region *region) {
    /* One envelope and two oscillators modulate both pitch and filter. */
    bl_sampler_motion *motion = &region->motions[BL_MOTION_FILTER];
    motion->envelope = envelope(&amounts[BL_GENERATOR_MODULATION_DELAY], false);
    motion->pitch = held(amounts[BL_GENERATOR_ENVELOPE_TO_PITCH], -12000, 12000);
    motion->cutoff = held(amounts[BL_GENERATOR_ENVELOPE_TO_CUTOFF], -12000, 12000);
    motion->convex = true;
    region->lfos[1] = (bl_sampler_lfo){
        .delay = seconds(amounts[BL_GENERATOR_LFO_DELAY], 5000),
        .rate = hertz(held(amounts[BL_GENERATOR_LFO_RATE], -16000, 4500)),
        .pitch = held(amounts[BL_GENERATOR_LFO_TO_PITCH], -12000, 12000),
        .cutoff = held(amounts[BL_GENERATOR_LFO_TO_CUTOFF], -12000, 12000),
        .volume = held(amounts[BL_GENERATOR_LFO_TO_VOLUME], -960, 960) / 10,
        .triangle = true,
    };
    region->lfos[0] = (bl_sampler_lfo){
        .delay = seconds(amounts[BL_GENERATOR_VIBRATO_DELAY], 5000),
        .rate = hertz(held(amounts[BL_GENERATOR_VIBRATO_RATE], -16000, 4500)),
        .pitch = held(amounts[BL_GENERATOR_VIBRATO_TO_PITCH], -12000, 12000),
        .triangle = true,
    };
}

bool bl_zone_region(const bl_zone *zone, bl_sample *sample, bl_region *region) {
    const int32_t *amounts = zone->amounts;
    bl_region_begin(region);
    region->sample = sample;
    region->low_key = low(amounts[BL_GENERATOR_KEYS]);
    region->high_key = high(amounts[BL_GENERATOR_KEYS]);
    region->low_velocity = low(amounts[BL_GENERATOR_VELOCITIES]);
    region->high_velocity = high(amounts[BL_GENERATOR_VELOCITIES]);
    region->fixed_key = (int32_t)held(amounts[BL_GENERATOR_FIXED_KEY], -1, 127);
    region->fixed_velocity = (int32_t)held(amounts[BL_GENERATOR_FIXED_VELOCITY], -1, 127);
    region->group = region->off_by = amounts[BL_GENERATOR_EXCLUSIVE_CLASS];
    region->delay = seconds(amounts[BL_GENERATOR_VOLUME_DELAY], 5000);
    region->delays_sample_only = true;

    int32_t root = amounts[BL_GENERATOR_ROOT_KEY];
    region->center_key = root >= 0 && root < BL_KEYS ? root : sample->key;
    region->tune = 100 * held(amounts[BL_GENERATOR_COARSE_TUNE], -120, 120) +
                   held(amounts[BL_GENERATOR_FINE_TUNE], -99, 99) + sample->tune;
    region->key_tracking = held(amounts[BL_GENERATOR_SCALE_TUNING], 0, 1200);
    region->bend_by_range = true;

    region->volume = -ATTENUATION_SCALE * held(amounts[BL_GENERATOR_ATTENUATION], -1440, 1440) / 10;
    region->pan = held(amounts[BL_GENERATOR_PAN], -500, 500) / 5;
    region->envelope = envelope(&amounts[BL_GENERATOR_VOLUME_DELAY], true);
    region->fall = VOLUME_RANGE;

    set_motions(amounts, region);
    float cutoff = held(amounts[BL_GENERATOR_CUTOFF], 1500, 13500);
    bool moves = region->motions[BL_MOTION_FILTER].cutoff != 0 || region->lfos[1].cutoff != 0;
    region->resonance = held(amounts[BL_GENERATOR_RESONANCE], 0, 960) / 10;
    region->volume -= region->resonance / 2; /* 8.1.2, generator 9 */
    region->cutoff = cutoff < 13500 || moves || region->resonance > 0 ? hertz(cutoff) : 0;
    return set_bounds(amounts, sample, region);
}
