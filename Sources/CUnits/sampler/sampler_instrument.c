/* For strcasecmp. */
#define _POSIX_C_SOURCE 200809L

#include "sampler/sampler_instrument.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void bl_sampler_instrument_destroy(bl_sampler_instrument *instrument) {
    if (instrument == NULL) {
        return;
    }
    bl_sample_streams_destroy(instrument->streams);
    for (uint32_t index = 0; index < instrument->sample_count; index += 1) {
        bl_sample_destroy(instrument->samples[index]);
    }
    free(instrument->samples);
    free(instrument->pool);
    free(instrument->regions);
    bl_arena_free(&instrument->arena);
    free(instrument);
}

bool bl_sampler_instrument_own(bl_sampler_instrument *instrument, bl_sample *sample) {
    if (instrument->sample_count == instrument->sample_capacity) {
        uint32_t capacity = 2 * instrument->sample_capacity + 16;
        bl_sample **samples = realloc(instrument->samples, capacity * sizeof *samples);
        if (samples == NULL) {
            bl_sample_destroy(sample);
            return false;
        }
        instrument->samples = samples;
        instrument->sample_capacity = capacity;
    }
    instrument->samples[instrument->sample_count++] = sample;
    return true;
}

void bl_sampler_instrument_warn(bl_sampler_instrument *instrument, const char *format, ...) {
    instrument->warning_count += 1;
    size_t used = strlen(instrument->report);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(instrument->report + used, BL_REPORT_SIZE - used, format, arguments);
    va_end(arguments);
    if (length < 0 || used + (size_t)length + 2 > BL_REPORT_SIZE) {
        instrument->report[used] = 0; /* whole lines only */
    } else {
        memcpy(instrument->report + used + length, "\n", 2);
    }
}

static void note_switches(bl_sampler_preset *preset, const bl_region *region) {
    if (region->switch_last_low < 0) {
        return;
    }
    for (int32_t key = 0; key < BL_KEYS; key += 1) {
        bool chooses = key >= region->switch_last_low && key <= region->switch_last_high;
        bool in_range = region->switch_low_key > 0 || region->switch_high_key < BL_KEYS - 1;
        bool counts = key >= region->switch_low_key && key <= region->switch_high_key;
        preset->is_switch[key] = preset->is_switch[key] || chooses || (in_range && counts);
    }
    if (preset->switch_default < 0) {
        preset->switch_default = region->switch_default;
    }
}

/* Whether a key, or with -1 a controller, may start the region. */
static bool is_started_by(const bl_region *region, int32_t key) {
    bool by_controller = region->trigger == BL_TRIGGER_CONTROLLER;
    return key < 0 ? by_controller
                   : !by_controller && key >= region->low_key && key <= region->high_key;
}

/* The places of the regions among `count` that a key, or with -1 a controller, may start: `most` at
   most, and what is beyond that is added to `left_out`. NULL when memory is short. */
static const uint32_t *places_of(bl_sampler_instrument *instrument, uint32_t first, uint32_t count,
                                 int32_t key, uint32_t most, uint32_t *found, uint32_t *left_out) {
    uint32_t all = 0;
    for (uint32_t index = first; index < first + count; index += 1) {
        all += is_started_by(&instrument->regions[index], key);
    }
    uint32_t kept = all < most ? all : most;
    uint32_t *places = bl_arena_allocate(&instrument->arena, kept, sizeof *places);
    *found = 0;
    for (uint32_t index = first; places != NULL && *found < kept; index += 1) {
        if (is_started_by(&instrument->regions[index], key)) {
            places[(*found)++] = index;
        }
    }
    *left_out += all - kept;
    return places;
}

bool bl_sampler_instrument_index(bl_sampler_instrument *instrument, bl_sampler_preset *preset,
                                 uint32_t first, uint32_t count) {
    preset->switch_default = -1;
    if (count == 0) {
        return true;
    }
    for (uint32_t index = first; index < first + count; index += 1) {
        note_switches(preset, &instrument->regions[index]);
    }
    uint32_t beyond_controllers = 0, beyond_keys = 0;
    preset->by_controller = places_of(instrument, first, count, -1, BL_REGIONS_OF_CONTROLLERS,
                                      &preset->by_controller_count, &beyond_controllers);
    for (int32_t key = 0; key < BL_KEYS; key += 1) {
        preset->by_key[key] = places_of(instrument, first, count, key, BL_REGIONS_OF_KEY,
                                        &preset->by_key_count[key], &beyond_keys);
    }
    if (beyond_controllers > 0) {
        bl_sampler_instrument_warn(instrument, "more than %d regions are started by controllers",
                                   BL_REGIONS_OF_CONTROLLERS);
    }
    if (beyond_keys > 0) {
        bl_sampler_instrument_warn(instrument, "more than %d regions are on one key",
                                   BL_REGIONS_OF_KEY);
    }
    return !instrument->arena.failed;
}

/* A sound file is an instrument of one region, over all keys. */
static bool read_sound(bl_sampler_instrument *instrument, const char *path, char *message,
                       size_t message_size) {
    char *own_path = bl_arena_allocate(&instrument->arena, strlen(path) + 1, 1);
    if (own_path == NULL) {
        snprintf(message, message_size, "no memory for %s", path);
        return false;
    }
    bl_sample *sample = bl_sample_open(strcpy(own_path, path), message, message_size);
    if (sample == NULL) {
        return false;
    }
    instrument->regions = calloc(1, sizeof(bl_region));
    instrument->presets = bl_arena_allocate(&instrument->arena, 1, sizeof(bl_sampler_preset));
    if (!bl_sampler_instrument_own(instrument, sample) || instrument->regions == NULL ||
        instrument->presets == NULL) {
        snprintf(message, message_size, "no memory for %s", path);
        return false;
    }
    bl_region *region = &instrument->regions[0];
    bl_region_begin(region);
    region->sample = sample;
    region->end = sample->frames;
    region->loop_mode = sample->has_loop ? BL_LOOP_CONTINUOUS : BL_LOOP_NONE;
    region->loop_start = sample->loop_start;
    region->loop_end = sample->loop_end;
    region->center_key = sample->key >= 0 ? sample->key : 60;
    region->tune = sample->tune;
    instrument->region_count = 1;
    instrument->preset_count = 1;
    instrument->presets[0].name = "";
    return bl_sampler_instrument_load(instrument, message, message_size) &&
           bl_sampler_instrument_index(instrument, &instrument->presets[0], 0, 1);
}

static bool has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return length >= end && strcasecmp(path + length - end, suffix) == 0;
}

/* What controllers may add to a target of a region. */
static double most_added(const bl_region *region, bl_target target) {
    double sum = 0;
    for (uint32_t index = 0; index < region->modulation_count; index += 1) {
        const bl_modulation *modulation = &region->modulations[index];
        sum += modulation->target == target ? fmax((double)modulation->amount, 0) : 0;
    }
    return sum;
}

/* Cents by which a region is transposed where it is played lowest, without bends and envelopes. */
static double lowest_cents(const bl_region *region) {
    bool fixed = region->fixed_key >= 0;
    double low = fixed ? region->fixed_key : region->low_key;
    double high = fixed ? region->fixed_key : region->high_key;
    if (region->trigger == BL_TRIGGER_CONTROLLER) {
        low = high = region->center_key;
    }
    double tracking = (double)region->key_tracking;
    return fmin((low - region->center_key) * tracking, (high - region->center_key) * tracking) +
           (double)region->tune + 100 * region->transpose +
           fmin((double)region->velocity_tracking, 0) - (double)region->random_pitch;
}

static void add_tail(bl_sampler_instrument *instrument, const bl_region *region) {
    if (region->sample == NULL) {
        return;
    }
    if (region->loop_mode == BL_LOOP_ONE_SHOT || region->trigger == BL_TRIGGER_RELEASE ||
        region->trigger == BL_TRIGGER_RELEASE_KEY || region->trigger == BL_TRIGGER_CONTROLLER) {
        double delay = (double)region->delay + (double)region->delay_random +
                       most_added(region, BL_TARGET_DELAY);
        double sample = (double)region->end / region->sample->sample_rate;
        instrument->rest =
            fmax(instrument->rest, delay + sample * exp2(-lowest_cents(region) / 1200));
    } else {
        double release = (double)region->envelope.release +
                         fmax((double)region->envelope.release_by_velocity, 0) +
                         most_added(region, BL_TARGET_RELEASE);
        instrument->release = fmax(instrument->release, 60 / (double)region->fall * release);
    }
}

/* A program that a bank does not have is that of bank 0, or among the drums the first of them; else
   the first preset. */
static void choose_presets(bl_sampler_instrument *instrument) {
    bool chosen[BL_SAMPLER_BANKS][BL_SAMPLER_PROGRAMS] = {{false}};
    uint16_t drums = 0;
    for (uint32_t index = 0; index < instrument->preset_count; index += 1) {
        const bl_sampler_preset *preset = &instrument->presets[index];
        uint32_t bank = preset->bank, program = preset->program;
        if (bank >= BL_SAMPLER_BANKS || program >= BL_SAMPLER_PROGRAMS || chosen[bank][program]) {
            continue;
        }
        chosen[bank][program] = true;
        instrument->chosen[bank][program] = (uint16_t)index;
        bool is_first = bank == BL_SAMPLER_DRUM_BANK && !instrument->has_drums;
        instrument->has_drums = instrument->has_drums || is_first;
        drums = is_first ? (uint16_t)index : drums;
    }
    for (uint32_t bank = 1; bank < BL_SAMPLER_BANKS; bank += 1) {
        bool is_of_drums = bank == BL_SAMPLER_DRUM_BANK && instrument->has_drums;
        for (uint32_t program = 0; program < BL_SAMPLER_PROGRAMS; program += 1) {
            if (!chosen[bank][program]) {
                instrument->chosen[bank][program] =
                    is_of_drums ? drums : instrument->chosen[0][program];
            }
        }
    }
}

bl_sampler_instrument *bl_sampler_instrument_read(const char *path, uint64_t memory, char *message,
                                                  size_t message_size) {
    bl_sampler_instrument *instrument = calloc(1, sizeof *instrument);
    if (instrument == NULL) {
        snprintf(message, message_size, "no memory for %s", path);
        return NULL;
    }
    instrument->memory = memory;
    for (uint32_t index = 0; index < BL_KEYS; index += 1) {
        instrument->controllers[index] = -1;
    }
    bool done = has_suffix(path, ".sfz") ? bl_sfz_read(instrument, path, message, message_size)
                : has_suffix(path, ".sf2")
                    ? bl_soundfont_read(instrument, path, message, message_size)
                    : read_sound(instrument, path, message, message_size);
    if (done) {
        instrument->turns = bl_arena_allocate(&instrument->arena, instrument->region_count,
                                              sizeof *instrument->turns);
        if (instrument->arena.failed) {
            snprintf(message, message_size, "no memory for %s", path);
            done = false;
        }
        choose_presets(instrument);
        for (uint32_t index = 0; index < instrument->region_count; index += 1) {
            add_tail(instrument, &instrument->regions[index]);
        }
    }
    if (!done) {
        bl_sampler_instrument_destroy(instrument);
        return NULL;
    }
    return instrument;
}
