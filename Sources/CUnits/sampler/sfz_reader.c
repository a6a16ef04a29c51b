/* Reads SFZ files: what <global>, <master> and <group> say comes before what a <region> says. */
#include "sampler/sfz_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/nearest_name.h"

/* In the order of bl_sfz_header, then those that are not supported. */
static const char *const headers[] = {"global", "master", "group", "region", "control",
                                      "effect", "midi",   "curve", "sample"};

static bool on_opcode(void *context, const char *name, const char *value) {
    bl_sfz_reader *self = context;
    if (self->header == BL_SFZ_CONTROL) {
        return bl_sfz_control(self, name, value);
    }
    if (self->header == BL_SFZ_NONE) {
        return bl_sfz_refuse(&self->text, "%.40s before the first <header>", name);
    }
    if (self->header == BL_SFZ_OTHER) {
        return true;
    }
    bl_numbered_opcode numbered = {.name = NULL};
    uint32_t number = 0;
    const bl_opcode *opcode = bl_opcode_find(name);
    if (opcode == NULL && !bl_numbered_opcode_find(name, &numbered, &number)) {
        return bl_sfz_warn_of_unknown(self, name);
    }
    bl_sfz_level *level = &self->levels[self->header];
    if (level->count == BL_SFZ_SETTINGS) {
        return bl_sfz_refuse(&self->text, "more than %d opcodes under one header", BL_SFZ_SETTINGS);
    }
    bl_sfz_setting *added = &level->settings[level->count++];
    *added = (bl_sfz_setting){
        .opcode = opcode, .numbered = numbered, .number = number, .place = self->text.place};
    return opcode != NULL ? bl_sfz_value(self, opcode, value, added)
                          : bl_sfz_numbered_value(self, name, value, added);
}

/* Adds the region that ends here. */
static bool end_region(bl_sfz_reader *self) {
    if (!self->in_region) {
        return true;
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
            return bl_sfz_refuse(&self->text, "more regions than there is room for");
        }
        instrument->regions = regions;
        self->capacity = capacity;
    }
    bl_sfz_place place = self->text.place;
    bool has_sample;
    if (!bl_sfz_region(self, &instrument->regions[instrument->region_count], &has_sample)) {
        return false;
    }
    self->text.place = place;
    instrument->region_count += has_sample;
    if (!has_sample) {
        bl_sampler_instrument_warn(instrument, "%s:%u: a region without a sample",
                                   self->region_place.file, self->region_place.line);
    }
    return true;
}

static bool on_header(void *context, const char *name) {
    bl_sfz_reader *self = context;
    if (!end_region(self)) {
        return false;
    }
    size_t count = sizeof headers / sizeof headers[0], found = 0;
    while (found < count && strcmp(headers[found], name) != 0) {
        found += 1;
    }
    if (found == count) {
        const char *nearest = bl_nearest_name(name, headers, count, sizeof headers[0]);
        return bl_sfz_refuse(&self->text, "there is no header <%.40s>%s%s%s", name,
                             nearest != NULL ? "; did you mean <" : "",
                             nearest != NULL ? nearest : "", nearest != NULL ? ">?" : "");
    }
    self->header = found < BL_SFZ_LEVEL_COUNT    ? (bl_sfz_header)found
                   : found == BL_SFZ_LEVEL_COUNT ? BL_SFZ_CONTROL
                                                 : BL_SFZ_OTHER;
    if (found > BL_SFZ_LEVEL_COUNT) {
        bl_sampler_instrument_warn(self->instrument, "%s:%u: <%s> is not supported",
                                   self->text.place.file, self->text.place.line, name);
    }
    for (size_t index = found; index < BL_SFZ_LEVEL_COUNT; index += 1) {
        self->levels[index].count = 0;
    }
    self->in_region = self->header == BL_SFZ_REGION;
    self->region_place = self->text.place;
    return true;
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

bool bl_sfz_read(bl_sampler_instrument *instrument, const char *path, char *message,
                 size_t message_size) {
    const char *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path;
    size_t length = slash != NULL ? (size_t)(slash - path) : 1;
    char *folder = bl_arena_allocate(&instrument->arena, length + 1, 1);
    if (folder == NULL) {
        snprintf(message, message_size, "no memory for %s", path);
        return false;
    }
    memcpy(folder, slash != NULL ? path : ".", length);
    bl_sfz_reader self = {
        .instrument = instrument,
        .text = {.arena = &instrument->arena,
                 .folder = folder,
                 .place = {file, 0},
                 .message = message,
                 .message_size = message_size,
                 .header = on_header,
                 .opcode = on_opcode},
        .header = BL_SFZ_NONE,
        .default_path = "",
        .levels = calloc(BL_SFZ_LEVEL_COUNT, sizeof(bl_sfz_level)),
    };
    self.text.context = &self;
    bool done = self.levels != NULL ? bl_sfz_text_read(&self.text, file) && end_region(&self)
                                    : bl_sfz_refuse(&self.text, "no memory for %s", path);
    free(self.levels);
    if (!done) {
        return false;
    }
    if (instrument->region_count == 0) {
        snprintf(message, message_size, "%s: there is no <region> with a sample", file);
        return false;
    }
    char reason[256];
    if (!bl_sampler_instrument_load(instrument, reason, sizeof reason)) {
        snprintf(message, message_size, "%s: %s", file, reason);
        return false;
    }
    if (!make_preset(instrument)) {
        snprintf(message, message_size, "no memory for %s", path);
        return false;
    }
    return true;
}
