/* Declares strcasecmp. */
#define _POSIX_C_SOURCE 200809L

#include "sampler/sampler_instrument.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void bl_sampler_instrument_destroy(void *object) {
    bl_sampler_instrument *instrument = object;
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

void bl_sampler_instrument_note(bl_sampler_instrument *instrument, const char *path) {
    bl_part_file *added = bl_arena_allocate(&instrument->arena, 1, sizeof *added);
    if (added != NULL) {
        *added = (bl_part_file){path, instrument->files};
        instrument->files = added;
    }
}

void bl_sampler_instrument_warn(bl_sampler_instrument *instrument, const char *kind,
                                const char *format, ...) {
    if (bl_remarks_count(&instrument->remarks, kind)) {
        return;
    }
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    bl_remarks_add(&instrument->remarks, &instrument->arena, kind, sentence);
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

/* The most that controllers may add to a target of a region. */
static double most_added(const bl_region *region, bl_target target) {
    double sum = 0;
    for (uint32_t index = 0; index < region->modulation_count; index += 1) {
        const bl_modulation *modulation = &region->modulations[index];
        sum += modulation->target == target ? fmax((double)modulation->amount, 0) : 0;
    }
    return sum;
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
            fmax(instrument->rest, delay + sample * exp2(-bl_region_cents(region, -1) / 1200));
    } else {
        double release = (double)region->envelope.release +
                         fmax((double)region->envelope.release_by_velocity, 0) +
                         most_added(region, BL_TARGET_RELEASE);
        instrument->release = fmax(instrument->release, 60 / (double)region->fall * release);
    }
}

/* A program that a bank lacks is replaced by that of bank 0, or in the drum bank by the first of
   its programs; else by the first of the others. */
static void choose_presets(bl_sampler_instrument *instrument) {
    bool chosen[BL_SAMPLER_BANKS][BL_SAMPLER_PROGRAMS] = {{false}};
    uint16_t drums = 0, first = 0;
    for (uint32_t index = 0; index < instrument->preset_count; index += 1) {
        const bl_sampler_preset *preset = &instrument->presets[index];
        const bl_sampler_preset *best = &instrument->presets[first];
        bool is_lower = preset->bank < best->bank ||
                        (preset->bank == best->bank && preset->program < best->program);
        first = is_lower ? (uint16_t)index : first;
    }
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
    for (uint32_t program = 0; program < BL_SAMPLER_PROGRAMS; program += 1) {
        if (!chosen[0][program]) {
            instrument->chosen[0][program] = first;
        }
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
                : has_suffix(path, ".sf2") || has_suffix(path, ".sf3")
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
