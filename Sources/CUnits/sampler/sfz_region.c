/* Makes a region of its settings in an SFZ file. */
#include <math.h>
#include <string.h>

#include "sampler/sfz_reader.h"

static bl_condition *condition_of(bl_region *region, uint32_t source) {
    for (uint32_t index = 0; index < region->condition_count; index += 1) {
        if (region->conditions[index].source == source) {
            return &region->conditions[index];
        }
    }
    if (region->condition_count == BL_REGION_CONDITIONS) {
        return NULL;
    }
    bl_condition *added = &region->conditions[region->condition_count++];
    bool bend = source == BL_SOURCE_BEND;
    *added = (bl_condition){(uint8_t)source, false, bend ? -8192 : 0, bend ? 8192 : 127};
    return added;
}

static bl_cross_fade *fade_of(bl_region *region, uint32_t source, bool out) {
    for (uint32_t index = 0; index < region->fade_count; index += 1) {
        if (region->fades[index].source == source && region->fades[index].out == out) {
            return &region->fades[index];
        }
    }
    if (region->fade_count == BL_REGION_FADES) {
        return NULL;
    }
    bl_cross_fade *added = &region->fades[region->fade_count++];
    float end = out ? 127 : 0;
    *added = (bl_cross_fade){(uint8_t)source, out, end, end};
    return added;
}

/* Sets the curve of levels by velocity through the points that were set; the others are
   interpolated linearly. */
static void set_velocity_level(bl_sfz_reader *self, bl_region *region, uint32_t velocity,
                               float value) {
    float *levels = (float *)(uintptr_t)region->velocity_levels;
    if (levels == NULL) {
        levels = bl_arena_allocate(&self->instrument->arena, BL_KEYS, sizeof *levels);
        if (levels == NULL) {
            return;
        }
        for (uint32_t index = 0; index < BL_KEYS; index += 1) {
            levels[index] = -1; /* not set */
        }
        region->velocity_levels = levels;
    }
    levels[velocity] = value < 0 ? 0 : value;
}

static void fill_velocity_levels(const bl_region *region) {
    float *levels = (float *)(uintptr_t)region->velocity_levels;
    if (levels == NULL) {
        return;
    }
    levels[0] = levels[0] < 0 ? 0 : levels[0];
    levels[BL_KEYS - 1] = levels[BL_KEYS - 1] < 0 ? 1 : levels[BL_KEYS - 1];
    uint32_t last = 0;
    for (uint32_t next = 1; next < BL_KEYS; next += 1) {
        if (levels[next] < 0) {
            continue;
        }
        for (uint32_t between = last + 1; between < next; between += 1) {
            float share = (float)(between - last) / (float)(next - last);
            levels[between] = levels[last] + share * (levels[next] - levels[last]);
        }
        last = next;
    }
}

static void apply_numbered(bl_sfz_reader *self, bl_region *region, const bl_sfz_setting *set) {
    const bl_numbered_opcode *opcode = &set->numbered;
    float value = (float)set->value;
    bool fits = true;
    if (opcode->kind == BL_NUMBERED_MODULATION) {
        fits = bl_region_modulate(region, set->number, opcode->target, value);
    } else if (opcode->kind == BL_NUMBERED_VELOCITY_LEVEL) {
        set_velocity_level(self, region, set->number, value);
    } else if (opcode->kind == BL_NUMBERED_FADE) {
        bl_cross_fade *fade = fade_of(region, set->number, opcode->out);
        fits = fade != NULL;
        if (fits) {
            *(opcode->high ? &fade->high : &fade->low) = value;
        }
    } else {
        bl_condition *condition = condition_of(region, set->number);
        fits = condition != NULL;
        if (fits) {
            *(opcode->high ? &condition->high : &condition->low) = value;
        }
        if (fits && opcode->kind == BL_NUMBERED_START) {
            condition->starts = true;
            region->trigger = BL_TRIGGER_CONTROLLER;
        }
    }
    if (!fits) {
        self->text.place = set->place;
        bl_sfz_warn(&self->text, opcode->name, "more than %d of these opcodes in one region",
                    opcode->kind == BL_NUMBERED_MODULATION ? BL_REGION_MODULATIONS
                                                           : BL_REGION_CONDITIONS);
    }
}

static void apply_plain(bl_region *region, const bl_sfz_setting *set,
                        const bl_sfz_setting **sample) {
    const bl_opcode *opcode = set->opcode;
    void *member = (char *)region + opcode->offset;
    int32_t whole = (int32_t)fmin(set->value, INT32_MAX);
    uint32_t frames = set->value > 0 ? (uint32_t)set->value : 0;
    switch (opcode->kind) {
    case BL_OPCODE_NUMBER: *(float *)member = (float)set->value; break;
    case BL_OPCODE_WHOLE:
    case BL_OPCODE_KEY:
    case BL_OPCODE_CHOICE: *(int32_t *)member = whole; break;
    case BL_OPCODE_FRAMES: *(uint32_t *)member = frames; break;
    case BL_OPCODE_SWITCH: *(bool *)member = whole != 0; break;
    case BL_OPCODE_ALL_KEYS:
        region->low_key = region->high_key = whole;
        region->center_key = whole >= 0 && whole < BL_KEYS ? whole : region->center_key;
        break;
    case BL_OPCODE_CENTER_KEY: region->center_key = whole; break;
    case BL_OPCODE_SWITCH_LAST: region->switch_last_low = region->switch_last_high = whole; break;
    case BL_OPCODE_END: region->end = whole < 0 ? UINT32_MAX : frames + 1; break;
    case BL_OPCODE_LOOP_START:
        region->loop_start = frames;
        region->has_loop_start = true;
        break;
    case BL_OPCODE_LOOP_END:
        region->loop_end = frames + 1;
        region->has_loop_end = true;
        break;
    case BL_OPCODE_SAMPLE: *sample = set; break;
    case BL_OPCODE_IGNORED: break;
    }
}

/* The sample of a path, from a file or from the samples read so far; NULL, and a remark, on
   failure. */
static bl_sample *sample_of(bl_sfz_reader *self, const bl_sfz_setting *set) {
    self->text.place = set->place;
    bool is_wave = set->text[0] == '*';
    const char *kind = is_wave ? "sample=*" : "sample";
    const char *path = is_wave ? set->text : bl_sfz_path(&self->text, set->text);
    for (const bl_sfz_loaded *known = self->loaded; path != NULL && known != NULL;
         known = known->next) {
        if (strcmp(known->path, path) == 0) {
            if (known->sample == NULL) {
                bl_remarks_count(&self->instrument->remarks, kind);
            }
            return known->sample;
        }
    }
    bl_sfz_loaded *added = bl_arena_allocate(&self->instrument->arena, 1, sizeof *added);
    if (path == NULL || added == NULL) {
        return NULL;
    }
    if (!is_wave) {
        bl_sampler_instrument_note(self->instrument, path);
    }
    char reason[512];
    bl_sample *sample = is_wave ? bl_sample_of_wave(path + 1, reason, sizeof reason)
                                : bl_sample_open(path, reason, sizeof reason);
    if (sample == NULL) {
        bl_sfz_warn(&self->text, kind, "sample=%.200s: %s", set->text, reason);
    } else if (!bl_sampler_instrument_own(self->instrument, sample)) {
        self->instrument->arena.failed = true;
        return NULL;
    }
    *added = (bl_sfz_loaded){path, sample, self->loaded};
    self->loaded = added;
    return sample;
}

/* Fills in values that the region leaves open from the sample, and limits it to the sample. */
static bool fit_to_sample(bl_sfz_reader *self, bl_region *region) {
    const bl_sample *sample = region->sample;
    if (region->center_key < 0) {
        region->center_key = sample->key >= 0 ? sample->key : 60;
        region->tune += sample->key >= 0 ? sample->tune : 0;
    }
    bool has_loop = sample->has_loop || region->has_loop_start || region->has_loop_end;
    if (region->loop_mode == BL_LOOP_OF_SAMPLE) {
        region->loop_mode = has_loop ? BL_LOOP_CONTINUOUS : BL_LOOP_NONE;
    }
    region->end = region->end == 0 ? sample->frames : region->end;
    if (!region->has_loop_start) {
        region->loop_start = sample->loop_start;
    }
    if (!region->has_loop_end) {
        region->loop_end = sample->has_loop ? sample->loop_end : region->end;
    }
    if (region->end > sample->frames) {
        bl_sfz_warn(&self->text, "end", "end=%u is past the sample's %u frames", region->end - 1,
                    sample->frames);
        region->end = sample->frames;
    }
    if (region->offset >= region->end) {
        bl_sfz_warn(&self->text, "offset", "offset=%u: the sample ends after %u frames",
                    region->offset, region->end);
        return false;
    }
    return true;
}

/* Limits a loop to the sample. */
static void fit_loop(bl_sfz_reader *self, bl_region *region) {
    uint32_t frames = region->sample->frames;
    if (region->loop_mode < BL_LOOP_CONTINUOUS) {
        return;
    }
    if (region->loop_end > frames) {
        bl_sfz_warn(&self->text, "loop_end", "loop_end=%u is past the sample's %u frames",
                    region->loop_end - 1, frames);
        region->loop_end = frames;
    }
    if (region->loop_start >= region->loop_end) {
        bl_sfz_warn(&self->text, "loop_start", "loop_start=%u is past the loop's end",
                    region->loop_start);
        region->loop_mode = BL_LOOP_NONE;
    }
}

/* Adds the level settings of <global>, <master> and <group> to a region's. */
static void add_levels(bl_region *region) {
    for (uint32_t level = 0; level < BL_SFZ_REGION; level += 1) {
        region->volume += region->level_volumes[level];
        region->amplitude *= 0.01f * region->level_amplitudes[level];
    }
}

bool bl_sfz_region(bl_sfz_reader *self, bl_region *region) {
    bl_region_begin(region);
    const bl_sfz_setting *sample = NULL;
    for (uint32_t index = 0; index < BL_SFZ_LEVEL_COUNT; index += 1) {
        const bl_sfz_level *level = &self->levels[index];
        for (uint32_t place = 0; place < level->count; place += 1) {
            const bl_sfz_setting *set = &level->settings[place];
            if (set->opcode != NULL) {
                apply_plain(region, set, &sample);
            } else {
                apply_numbered(self, region, set);
            }
        }
    }
    fill_velocity_levels(region);
    add_levels(region);
    region->cutoff = region->filter == BL_FILTER_NONE ? 0 : region->cutoff;
    self->text.place = self->region_place;
    if (sample == NULL) {
        bl_sfz_warn(&self->text, "region", "a region without a sample");
        return false;
    }
    if (sample->text == NULL || region->end == UINT32_MAX) {
        return true;
    }
    region->sample = sample_of(self, sample);
    self->text.place = self->region_place;
    if (region->sample == NULL || !fit_to_sample(self, region)) {
        return false;
    }
    region->key_tracking = region->sample->is_noise ? 0 : region->key_tracking;
    fit_loop(self, region);
    return true;
}
