/* Reads SFZ files: settings of <global>, <master> and <group> precede those of a <region>. */
/* Declares realpath. */
#define _XOPEN_SOURCE 700

#include "sampler/sfz_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/nearest_name.h"

/* The headers in the order of bl_sfz_header, then unsupported ones. */
static const char *const headers[] = {"global", "master", "group", "region", "control",
                                      "effect", "midi",   "curve", "sample"};

static void on_opcode(void *context, const char *name, const char *value) {
    bl_sfz_reader *self = context;
    if (self->header == BL_SFZ_CONTROL) {
        bl_sfz_control(self, name, value);
        return;
    }
    if (self->header == BL_SFZ_NONE) {
        bl_sfz_warn(&self->text, "none", "%.40s is before the first <header>", name);
        return;
    }
    if (self->header == BL_SFZ_OTHER) {
        return;
    }
    bl_sfz_setting set = {.opcode = bl_opcode_find(name), .place = self->text.place};
    if (set.opcode == NULL && !bl_numbered_opcode_find(name, &set.numbered, &set.number)) {
        bl_sfz_warn_of_unknown(self, name);
        return;
    }
    bl_sfz_level *level = &self->levels[self->header];
    if (level->count == BL_SFZ_SETTINGS) {
        bl_sfz_warn(&self->text, "many", "more than %d opcodes under one header", BL_SFZ_SETTINGS);
    } else if (set.opcode != NULL ? bl_sfz_value(self, set.opcode, value, &set)
                                  : bl_sfz_numbered_value(self, name, value, &set)) {
        level->settings[level->count++] = set;
    }
}

/* Adds the region that ends here. */
static void end_region(bl_sfz_reader *self) {
    if (!self->in_region) {
        return;
    }
    self->in_region = false;
    bl_sampler_instrument *instrument = self->instrument;
    if (instrument->region_count == self->capacity) {
        uint32_t capacity = 2 * self->capacity + 16;
        bl_region *regions = NULL;
        if (instrument->region_count < BL_REGIONS_LARGEST) {
            regions = realloc(instrument->regions, capacity * sizeof *regions);
        }
        if (regions == NULL) {
            bl_sfz_warn(&self->text, "regions", "more regions than there is room for");
            return;
        }
        instrument->regions = regions;
        self->capacity = capacity;
    }
    bl_sfz_place place = self->text.place;
    instrument->region_count += bl_sfz_region(self, &instrument->regions[instrument->region_count]);
    self->text.place = place;
}

static void on_header(void *context, const char *name) {
    bl_sfz_reader *self = context;
    end_region(self);
    size_t count = sizeof headers / sizeof headers[0], found = 0;
    while (found < count && strcmp(headers[found], name) != 0) {
        found += 1;
    }
    self->header = found < BL_SFZ_LEVEL_COUNT    ? (bl_sfz_header)found
                   : found == BL_SFZ_LEVEL_COUNT ? BL_SFZ_CONTROL
                                                 : BL_SFZ_OTHER;
    if (found == count) {
        const char *nearest = bl_nearest_name(name, headers, count, sizeof headers[0]);
        bl_sfz_warn(&self->text, name, "there is no header <%.40s>%s%s%s", name,
                    nearest != NULL ? "; did you mean <" : "", nearest != NULL ? nearest : "",
                    nearest != NULL ? ">?" : "");
        return;
    }
    if (found > BL_SFZ_LEVEL_COUNT) {
        bl_sfz_warn(&self->text, name, "<%s> is not supported", name);
    }
    for (size_t index = found; index < BL_SFZ_LEVEL_COUNT; index += 1) {
        self->levels[index].count = 0;
    }
    self->in_region = self->header == BL_SFZ_REGION;
    self->region_place = self->text.place;
}

static bool make_preset(bl_sampler_instrument *instrument) {
    instrument->presets = bl_arena_allocate(&instrument->arena, 1, sizeof(bl_sampler_preset));
    if (instrument->presets == NULL) {
        return false;
    }
    instrument->preset_count = 1;
    instrument->presets[0].name = "";
    return bl_sampler_instrument_index(instrument, &instrument->presets[0], 0,
                                       instrument->region_count);
}

/* Reads the samples of the regions. */
static bool finish(bl_sfz_reader *self, const char *file, char *message, size_t message_size) {
    bl_sampler_instrument *instrument = self->instrument;
    const bl_remark *remark = instrument->remarks.first;
    char reason[256];
    if (instrument->arena.failed) {
        snprintf(message, message_size, "no memory for %s", file);
    } else if (instrument->region_count == 0) {
        snprintf(message, message_size, "%s: there is no <region> that plays%s%s", file,
                 remark != NULL ? "; " : "", remark != NULL ? remark->text : "");
    } else if (!bl_sampler_instrument_load(instrument, reason, sizeof reason)) {
        snprintf(message, message_size, "%s: %s", file, reason);
    } else if (!make_preset(instrument)) {
        snprintf(message, message_size, "no memory for %s", file);
    } else {
        return true;
    }
    return false;
}

/* The folder part of a path, in the arena; NULL when memory is short. */
static const char *folder_of(bl_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 1;
    char *folder = bl_arena_allocate(arena, length + 1, 1);
    return folder != NULL ? memcpy(folder, slash != NULL ? path : ".", length) : NULL;
}

bool bl_sfz_read(bl_sampler_instrument *instrument, const char *path, char *message,
                 size_t message_size) {
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    char *target = realpath(path, NULL);
    const char *folder = folder_of(&instrument->arena, path);
    const char *linked_folder = target != NULL ? folder_of(&instrument->arena, target) : folder;
    free(target);
    if (folder == NULL || linked_folder == NULL) {
        snprintf(message, message_size, "no memory for %s", path);
        return false;
    }
    bl_sfz_reader self = {
        .instrument = instrument,
        .text = {.instrument = instrument,
                 .folder = folder,
                 .linked_folder = linked_folder,
                 .place = {file, 0},
                 .header = on_header,
                 .opcode = on_opcode},
        .header = BL_SFZ_NONE,
        .default_path = "",
        .levels = calloc(BL_SFZ_LEVEL_COUNT, sizeof(bl_sfz_level)),
    };
    self.text.context = &self;
    instrument->arena.failed = instrument->arena.failed || self.levels == NULL;
    bool is_read = bl_sfz_text_read(&self.text, file, message, message_size);
    if (is_read) {
        end_region(&self);
    }
    free(self.levels);
    return is_read && finish(&self, file, message, message_size);
}
