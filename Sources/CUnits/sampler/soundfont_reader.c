/* Reads SoundFonts: every pair of a preset's zone and an instrument's zone that sounds together is
   a region. */
#include <string.h>

#include "sampler/soundfont_zone.h"

/* Zones, generators and modulators that are read before a file is taken for hostile: an instrument
   is read for every zone that names it. */
enum { MOST_READ = 16 << 20 };

typedef struct reader {
    bl_sampler_instrument *instrument;
    bl_soundfont_chunks chunks;
    bl_zone zone;      /* of the preset */
    uint32_t capacity; /* of regions */
    uint32_t read_count;
    uint32_t left_out; /* modulators */
} reader;

/* The lists of one of the two levels. */
typedef struct level {
    bl_soundfont_list headers, bags, generators, modulators;
    uint32_t bag_offset; /* in a header, of the number of its first bag */
    uint32_t last;       /* the generator that every zone but a global one ends with */
} level;
static const level preset_level = {
    BL_PRESET_HEADERS,      BL_PRESET_BAGS, BL_PRESET_GENERATORS, BL_PRESET_MODULATORS, 24,
    BL_GENERATOR_INSTRUMENT};
static const level instrument_level = {
    BL_INSTRUMENTS,     BL_INSTRUMENT_BAGS, BL_INSTRUMENT_GENERATORS, BL_INSTRUMENT_MODULATORS, 20,
    BL_GENERATOR_SAMPLE};

/* The numbers in field `offset` of a record and of the next, which must not fall, nor pass the
   records of `of`. */
static bool read_range(const reader *self, bl_soundfont_list list, uint32_t index, uint32_t offset,
                       bl_soundfont_list of, uint32_t *first, uint32_t *end) {
    *first = bl_little_16(bl_soundfont_record(&self->chunks, list, index, offset));
    *end = bl_little_16(bl_soundfont_record(&self->chunks, list, index + 1, offset));
    return (*first <= *end && *end < self->chunks.counts[of]) ||
           bl_soundfont_refuse(&self->chunks, bl_soundfont_list_names[list],
                               "record %u names %u to %u of the %u in %s", index, *first, *end,
                               self->chunks.counts[of] - 1, bl_soundfont_list_names[of]);
}

static bool count_read(reader *self, uint32_t count) {
    self->read_count += count;
    return self->read_count <= MOST_READ ||
           bl_soundfont_refuse(&self->chunks, "pgen", "more zones than there is time for");
}

/* Adds the generators of a bag to a zone; what it ends with, or -1 for a global zone. */
static bool read_bag(reader *self, const level *level, uint32_t bag, bl_zone *zone, int32_t *last) {
    uint32_t first, end;
    *last = -1;
    if (!read_range(self, level->bags, bag, 2, level->modulators, &first, &end) ||
        !count_read(self, 1 + end - first)) {
        return false;
    }
    for (uint32_t index = first; index < end; index += 1) {
        const unsigned char *record =
            bl_soundfont_record(&self->chunks, level->modulators, index, 0);
        bl_zone_modulator modulator = {
            .source = bl_little_16(record),
            .destination = bl_little_16(record + 2),
            .amount = (int16_t)(uint16_t)bl_little_16(record + 4),
            .amount_source = bl_little_16(record + 6),
            .transform = bl_little_16(record + 8),
        };
        self->left_out += !bl_zone_modulate(zone, &modulator, false);
    }
    if (!read_range(self, level->bags, bag, 0, level->generators, &first, &end) ||
        !count_read(self, end - first)) {
        return false;
    }
    for (uint32_t index = first; index < end; index += 1) {
        const unsigned char *record =
            bl_soundfont_record(&self->chunks, level->generators, index, 0);
        uint32_t generator = bl_little_16(record), amount = bl_little_16(record + 2);
        if (generator == level->last) {
            *last = (int32_t)amount;
            break;
        }
        if (generator < BL_GENERATOR_COUNT) {
            zone->amounts[generator] = (int16_t)(uint16_t)amount;
            zone->set[generator] = true;
        }
    }
    return true;
}

static bl_region *add_region(reader *self) {
    bl_sampler_instrument *instrument = self->instrument;
    if (instrument->region_count == self->capacity) {
        uint32_t capacity = 2 * self->capacity + 64;
        bl_region *regions = NULL;
        if (instrument->region_count < BL_REGIONS_LARGEST) {
            regions = realloc(instrument->regions, capacity * sizeof *regions);
        }
        if (regions == NULL) {
            bl_soundfont_refuse(&self->chunks, "pgen", "more zones than there is room for");
            return NULL;
        }
        instrument->regions = regions;
        self->capacity = capacity;
    }
    return &instrument->regions[instrument->region_count++];
}

/* The region of an instrument's zone under the preset's present zone. */
static bool read_pair(reader *self, bl_zone zone, int32_t sample) {
    if ((uint32_t)sample >= self->instrument->sample_count) {
        return bl_soundfont_refuse(&self->chunks, "igen", "sample %d of %u", sample,
                                   self->instrument->sample_count);
    }
    bl_sample *own = self->instrument->samples[sample];
    if (own->frames == 0 || !bl_zone_add(&zone, &self->zone)) {
        return true;
    }
    bl_region *region = add_region(self);
    if (region == NULL) {
        return false;
    }
    const unsigned char *name =
        bl_soundfont_record(&self->chunks, BL_SAMPLE_HEADERS, (uint32_t)sample, 0);
    if (!bl_zone_region(&zone, own, region)) {
        self->instrument->region_count -= 1;
        bl_sampler_instrument_warn(self->instrument,
                                   "%s: a zone goes beyond the %u frames of sample %d, %.20s",
                                   self->chunks.name, own->frames, sample, (const char *)name);
        return true;
    }
    return bl_zone_apply_modulators(&zone, region, &self->instrument->arena, &self->left_out) ||
           bl_soundfont_refuse(&self->chunks, "imod", "no memory");
}

/* Goes through the zones of an instrument, or of a preset, and does `each` with those that are not
   global. */
static bool read_zones(reader *self, const level *level, uint32_t index,
                       bool (*each)(reader *self, bl_zone zone, int32_t last)) {
    uint32_t first, end;
    if (!read_range(self, level->headers, index, level->bag_offset, level->bags, &first, &end)) {
        return false;
    }
    bl_zone global = {.modulator_count = 0};
    if (level == &instrument_level) {
        bl_zone_begin(&global);
    }
    for (uint32_t bag = first; bag < end; bag += 1) {
        bl_zone zone = global;
        int32_t last;
        if (!read_bag(self, level, bag, &zone, &last)) {
            return false;
        }
        if (last >= 0) {
            if (!each(self, zone, last)) {
                return false;
            }
        } else if (bag == first) {
            global = zone;
        }
    }
    return true;
}

static bool read_preset_zone(reader *self, bl_zone zone, int32_t instrument) {
    if ((uint32_t)instrument + 1 >= self->chunks.counts[BL_INSTRUMENTS]) {
        return bl_soundfont_refuse(&self->chunks, "pgen", "instrument %d of %u", instrument,
                                   self->chunks.counts[BL_INSTRUMENTS] - 1);
    }
    self->zone = zone;
    return read_zones(self, &instrument_level, (uint32_t)instrument, read_pair);
}

/* Sample headers, as views into the pool of all samples. */
static bool read_samples(reader *self) {
    const bl_soundfont_chunks *chunks = &self->chunks;
    for (uint32_t index = 0; index + 1 < chunks->counts[BL_SAMPLE_HEADERS]; index += 1) {
        const unsigned char *record = bl_soundfont_record(chunks, BL_SAMPLE_HEADERS, index, 0);
        uint32_t start = bl_little_32(record + 20), end = bl_little_32(record + 24);
        uint32_t loop_start = bl_little_32(record + 28), loop_end = bl_little_32(record + 32);
        uint32_t rate = bl_little_32(record + 36);
        bl_sample *sample = calloc(1, sizeof *sample);
        if (sample == NULL || !bl_sampler_instrument_own(self->instrument, sample)) {
            return bl_soundfont_refuse(chunks, "shdr", "no memory");
        }
        bool in_rom = bl_little_16(record + 44) >= 0x8000;
        bool outside = start > end || end > chunks->frames;
        if (in_rom || outside || rate < 400 || rate > 768000) {
            const char *reason = in_rom    ? "is in a sound card's ROM"
                                 : outside ? "lies outside of the file"
                                           : "has no rate that can be played";
            bl_sampler_instrument_warn(self->instrument, "%s: sample %u, %.20s, %s", chunks->name,
                                       index, (const char *)record, reason);
            continue;
        }
        *sample = (bl_sample){
            .channels = 1,
            .frames = end - start,
            .head = end - start,
            .middle_start = end - start,
            .middle_end = end - start,
            .sample_rate = rate,
            .has_loop = true,
            .loop_start = loop_start > start ? loop_start - start : 0,
            .loop_end = loop_end > start ? loop_end - start : 0,
            .key = record[40] < BL_KEYS ? record[40] : 60,
            .tune = (float)(int8_t)record[41],
        };
        if (chunks->are_floats) {
            sample->floats[0] = (const float *)chunks->samples + start;
        } else {
            sample->words[0] = (const int16_t *)chunks->samples + start;
        }
    }
    return true;
}

static bool read_presets(reader *self) {
    bl_sampler_instrument *instrument = self->instrument;
    uint32_t count = self->chunks.counts[BL_PRESET_HEADERS] - 1;
    if (count > BL_SAMPLER_PRESETS) {
        return bl_soundfont_refuse(&self->chunks, "phdr", "more than %d presets",
                                   BL_SAMPLER_PRESETS);
    }
    instrument->presets = bl_arena_allocate(&instrument->arena, count, sizeof *instrument->presets);
    uint32_t *firsts = bl_arena_allocate(&instrument->arena, count + 1, sizeof *firsts);
    for (uint32_t index = 0; index < count; index += 1) {
        const unsigned char *record =
            bl_soundfont_record(&self->chunks, BL_PRESET_HEADERS, index, 0);
        char *name = bl_arena_allocate(&instrument->arena, 21, 1);
        if (instrument->arena.failed) {
            return bl_soundfont_refuse(&self->chunks, "phdr", "no memory");
        }
        memcpy(name, record, 20);
        instrument->presets[index].name = name;
        instrument->presets[index].program = bl_little_16(record + 20);
        instrument->presets[index].bank = bl_little_16(record + 22);
        firsts[index] = instrument->region_count;
        if (!read_zones(self, &preset_level, index, read_preset_zone)) {
            return false;
        }
        firsts[index + 1] = instrument->region_count;
    }
    instrument->preset_count = count;
    if (instrument->region_count == 0) {
        return bl_soundfont_refuse(&self->chunks, "phdr", "there is no preset that sounds");
    }
    for (uint32_t index = 0; index < count; index += 1) {
        if (!bl_sampler_instrument_index(instrument, &instrument->presets[index], firsts[index],
                                         firsts[index + 1] - firsts[index])) {
            return bl_soundfont_refuse(&self->chunks, "phdr", "no memory");
        }
    }
    return true;
}

bool bl_soundfont_read(bl_sampler_instrument *instrument, const char *path, char *message,
                       size_t message_size) {
    const char *slash = strrchr(path, '/');
    reader self = {
        .instrument = instrument,
        .chunks = {.name = slash != NULL ? slash + 1 : path,
                   .memory = instrument->memory,
                   .message = message,
                   .message_size = message_size},
    };
    bool done = bl_soundfont_chunks_read(&self.chunks, path);
    instrument->pool = self.chunks.samples;
    done = done && read_samples(&self) && read_presets(&self);
    if (done && self.left_out > 0) {
        bl_sampler_instrument_warn(instrument, "%s: modulators of a kind that is not supported: %u",
                                   self.chunks.name, self.left_out);
    }
    bl_soundfont_chunks_free(&self.chunks);
    return done;
}
