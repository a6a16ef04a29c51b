#include "sampler/sampler_region.h"

#include <math.h>

static const bl_sampler_envelope no_envelope = {.sustain = 100};

void bl_region_begin(bl_region *region) {
    *region = (bl_region){
        .high_key = BL_KEYS - 1,
        .high_velocity = 127,
        .low_velocity = 1,
        .low_channel = 1,
        .high_channel = 16,
        .high_random = 1,
        .sequence_length = 1,
        .sequence_position = 1,
        .switch_high_key = BL_KEYS - 1,
        .switch_last_low = -1,
        .switch_last_high = -1,
        .switch_down = -1,
        .switch_up = -1,
        .switch_previous = -1,
        .switch_default = -1,
        .off_time = 0.006f,
        .center_key = 60,
        .fixed_key = -1,
        .fixed_velocity = -1,
        .key_tracking = 100,
        .bend_up = 200,
        .bend_down = -200,
        .amplitude = 100,
        .level_amplitudes = {100, 100, 100},
        .level_by_velocity = 100,
        .level_center_key = 60,
        .cutoff_center_key = 60,
        .filter = BL_FILTER_LOW_PASS,
        .fade_out_keys = {BL_KEYS - 1, BL_KEYS - 1},
        .fade_out_velocities = {127, 127},
        .envelope = no_envelope,
        .fall = 78.17f, /* exp(-9), as usual in SFZ players */
    };
    for (uint32_t motion = 0; motion < BL_MOTION_COUNT; motion += 1) {
        region->motions[motion].envelope = no_envelope;
    }
}

uint32_t bl_region_cross_fade(const bl_region *region) BL_NONBLOCKING {
    double frames = (double)region->loop_crossfade * region->sample->sample_rate;
    uint32_t length = region->loop_end - region->loop_start;
    uint32_t most = length < region->loop_start ? length : region->loop_start;
    return frames < most ? (uint32_t)(frames + 0.5) : most;
}

bool bl_region_modulate(bl_region *region, uint32_t source, bl_target target, float amount) {
    for (uint32_t index = 0; index < region->modulation_count; index += 1) {
        bl_modulation *modulation = &region->modulations[index];
        if (modulation->source == source && modulation->target == target) {
            modulation->amount = amount;
            return true;
        }
    }
    if (region->modulation_count == BL_REGION_MODULATIONS) {
        return false;
    }
    region->modulations[region->modulation_count++] =
        (bl_modulation){(uint8_t)source, (uint8_t)target, amount};
    return true;
}

double bl_region_cents(const bl_region *region, double way) {
    bool fixed = region->fixed_key >= 0;
    double low = fixed ? region->fixed_key : region->low_key;
    double high = fixed ? region->fixed_key : region->high_key;
    if (region->trigger == BL_TRIGGER_CONTROLLER) {
        low = high = region->center_key;
    }
    double tracking = way * (double)region->key_tracking;
    return way *
               fmax((low - region->center_key) * tracking, (high - region->center_key) * tracking) +
           (double)region->tune + 100 * region->transpose +
           way * fmax(way * (double)region->velocity_tracking, 0) +
           way * (double)region->random_pitch;
}
