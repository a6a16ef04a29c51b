/* Reads SoundFonts: every pair of a preset's zone and an instrument's zone that sounds together
   becomes a region. */
#include <string.h>

#include "sampler/soundfont_zone.h"

/* The most zones, generators and modulators read, beyond which a file counts as hostile: an
   instrument is read for every zone that names it. */
enum { MOST_READ = 16 << 20 };
/* Bits of a sample's type. */
enum { PACKED = 0x10, IN_ROM = 0x8000 };

typedef struct reader {
    bl_sampler_instrument *instrument;
    bl_soundfont_chunks chunks;
    bl_zone zone;      /* zone of the preset */
    uint32_t capacity; /* capacity of the regions */
    uint32_t read_count;
    uint32_t left_out; /* modulators left out */
    uint64_t unpacked; /* bytes of decompressed samples */
} reader;

/* The lists of one of the two levels: presets or instruments. */
typedef struct level {
    bl_soundfont_list headers, bags, generators, modulators;
    uint32_t bag_offset; /* offset in a header of its first bag's index */
    uint32_t last;       /* generator that ends every zone except a global one */
} level;
static const level preset_level = {
    BL_PRESET_HEADERS,      BL_PRESET_BAGS, BL_PRESET_GENERATORS, BL_PRESET_MODULATORS, 24,
    BL_GENERATOR_INSTRUMENT};
static const level instrument_level = {
    BL_INSTRUMENTS,     BL_INSTRUMENT_BAGS, BL_INSTRUMENT_GENERATORS, BL_INSTRUMENT_MODULATORS, 20,
    BL_GENERATOR_SAMPLE};

#define WARN(SELF, KIND, FORMAT, ...)                                                              \
    bl_sampler_instrument_warn((SELF)->instrument, KIND, "%s: " FORMAT, (SELF)->chunks.name,       \
                               __VA_ARGS__)

/* Reads field `offset` of a record and of the next, which must not decrease, limited to the records
   of `of`. */
static void read_range(const reader *self, bl_soundfont_list list, uint32_t index, uint32_t offset,
                       bl_soundfont_list of, uint32_t *first, uint32_t *end) {
    uint32_t most = self->chunks.counts[of] - 1;
    *first = bl_little_16(bl_soundfont_record(&self->chunks, list, index, offset));
    *end = bl_little_16(bl_soundfont_record(&self->chunks, list, index + 1, offset));
    if (*first > *end || *end > most) {
        WARN(self, bl_soundfont_list_names[list],
             "chunk %s: record %u names %u to %u of the %u in %s", bl_soundfont_list_names[list],
             index, *first, *end, most, bl_soundfont_list_names[of]);
        *end = *end < most ? *end : most;
        *first = *first < *end ? *first : *end;
    }
}

static bool count_read(reader *self, uint32_t count) {
    self->read_count += count;
    return self->read_count <= MOST_READ ||
           bl_soundfont_refuse(&self->chunks, "pgen", "more zones than there is time for");
}

/* Adds the generators of a bag to a zone; also returns the index it ends with, or -1 for a global
   zone. */
static bool read_bag(reader *self, const level *level, uint32_t bag, bl_zone *zone, int32_t *last) {
    uint32_t first, end;
    *last = -1;
    read_range(self, level->bags, bag, 2, level->modulators, &first, &end);
    if (!count_read(self, 1 + end - first)) {
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
    read_range(self, level->bags, bag, 0, level->generators, &first, &end);
    if (!count_read(self, end - first)) {
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

/* Adds the region of an instrument's zone in the preset's present zone. */
static bool read_pair(reader *self, bl_zone zone, int32_t sample) {
    if ((uint32_t)sample >= self->instrument->sample_count) {
        WARN(self, "igen", "chunk igen: a zone of sample %d of %u", sample,
             self->instrument->sample_count);
        return true;
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
        WARN(self, "zone", "a zone goes beyond the %u frames of sample %d, %.20s", own->frames,
             sample, (const char *)name);
    }
    if (region->offset >= region->end) {
        self->instrument->region_count -= 1;
        return true;
    }
    return bl_zone_apply_modulators(&zone, region, &self->instrument->arena, &self->left_out) ||
           bl_soundfont_refuse(&self->chunks, "imod", "no memory");
}

/* Calls `each` for the zones of an instrument, or of a preset, that are not global. */
static bool read_zones(reader *self, const level *level, uint32_t index,
                       bool (*each)(reader *self, bl_zone zone, int32_t last)) {
    uint32_t first, end;
    read_range(self, level->headers, index, level->bag_offset, level->bags, &first, &end);
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
        WARN(self, "pgen", "chunk pgen: a zone of instrument %d of %u", instrument,
             self->chunks.counts[BL_INSTRUMENTS] - 1);
        return true;
    }
    self->zone = zone;
    return read_zones(self, &instrument_level, (uint32_t)instrument, read_pair);
}

/* Points a sample to a part of the common pool. */
static void view(const reader *self, bl_sample *sample, uint32_t start, uint32_t end) {
    const bl_soundfont_chunks *chunks = &self->chunks;
    sample->channels = 1;
    sample->frames = end - start;
    if (chunks->are_floats) {
        sample->floats[0] = (const float *)chunks->samples + start;
    } else {
        sample->words[0] = (const int16_t *)chunks->samples + start;
    }
}

/* Decodes a sample that is an Ogg file in a part of the pool's bytes (sf3). */
static void unpack(reader *self, bl_sample *sample, uint32_t start, uint32_t end) {
    const int16_t *words = self->chunks.samples;
    unsigned char *bytes = malloc((size_t)(end - start) + 1);
    for (uint32_t place = start; bytes != NULL && place < end; place += 1) {
        bytes[place - start] = (unsigned char)((uint16_t)words[place / 2] >> 8 * (place % 2));
    }
    char reason[256] = "no memory";
    uint64_t most = self->instrument->memory - self->unpacked;
    if (bytes == NULL ||
        !bl_sample_unpack(sample, bytes, end - start, most, reason, sizeof reason)) {
        WARN(self, "packed", "a compressed sample: %s", reason);
    }
    free(bytes);
    self->unpacked += (uint64_t)sample->frames * sample->channels * sizeof(float);
}

/* Reads the header of a sample; its frame count stays 0 if it cannot be played. */
static void read_sample(reader *self, uint32_t index, bl_sample *sample) {
    const bl_soundfont_chunks *chunks = &self->chunks;
    const unsigned char *record = bl_soundfont_record(chunks, BL_SAMPLE_HEADERS, index, 0);
    const char *name = (const char *)record;
    uint32_t start = bl_little_32(record + 20), end = bl_little_32(record + 24);
    uint32_t loop_start = bl_little_32(record + 28), loop_end = bl_little_32(record + 32);
    uint32_t rate = bl_little_32(record + 36), type = bl_little_16(record + 44);
    bool is_packed = type & PACKED && !chunks->are_floats;
    uint32_t most = is_packed ? 2 * chunks->frames : chunks->frames;
    if (type & IN_ROM) {
        WARN(self, "ROM", "sample %u, %.20s, is in a sound card's ROM", index, name);
        return;
    }
    if (start > end || end > most) {
        WARN(self, "outside", "sample %u, %.20s, lies outside of the file", index, name);
    }
    end = end < most ? end : most;
    if (start >= end) {
        return;
    }
    if (rate < 400 || rate > 768000) {
        WARN(self, "rate", "sample %u, %.20s, has a rate of %u Hz; 44100 takes its place", index,
             name, rate);
        rate = 44100;
    }
    if (is_packed) {
        unpack(self, sample, start, end);
        start = 0; /* the loop is relative to the start */
    } else {
        view(self, sample, start, end);
    }
    sample->head = sample->middle_start = sample->middle_end = sample->frames;
    sample->sample_rate = rate;
    sample->has_loop = true;
    sample->loop_start = loop_start - start;
    sample->loop_end = loop_end - start;
    sample->key = record[40] < BL_KEYS ? record[40] : 60;
    sample->tune = (float)(int8_t)record[41];
}

/* Reads all samples. The record that ends the list counts as a sample if a program has left out the
   end. */
static bool read_samples(reader *self) {
    const bl_soundfont_chunks *chunks = &self->chunks;
    uint32_t last = chunks->counts[BL_SAMPLE_HEADERS] - 1;
    const unsigned char *end = bl_soundfont_record(chunks, BL_SAMPLE_HEADERS, last, 0);
    uint32_t count = last + (bl_little_32(end + 24) > bl_little_32(end + 20));
    for (uint32_t index = 0; index < count; index += 1) {
        bl_sample *sample = calloc(1, sizeof *sample);
        if (sample == NULL || !bl_sampler_instrument_own(self->instrument, sample)) {
            return bl_soundfont_refuse(chunks, "shdr", "no memory");
        }
        read_sample(self, index, sample);
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
        if (bl_little_16(record + 22) >= BL_SAMPLER_BANKS ||
            bl_little_16(record + 20) >= BL_SAMPLER_PROGRAMS) {
            WARN(self, "bank", "preset %.20s has bank %u, program %u, which nothing chooses", name,
                 bl_little_16(record + 22), bl_little_16(record + 20) + 1);
        }
        firsts[index] = instrument->region_count;
        if (!read_zones(self, &preset_level, index, read_preset_zone)) {
            return false;
        }
        firsts[index + 1] = instrument->region_count;
    }
    instrument->preset_count = count;
    if (instrument->region_count == 0) {
        const bl_remark *remark = instrument->remarks.first;
        return bl_soundfont_refuse(&self->chunks, "phdr", "there is no preset that sounds%s%s",
                                   remark != NULL ? "; " : "", remark != NULL ? remark->text : "");
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
        .chunks = {.instrument = instrument,
                   .name = slash != NULL ? slash + 1 : path,
                   .message = message,
                   .message_size = message_size},
    };
    bool done = bl_soundfont_chunks_read(&self.chunks, path);
    instrument->pool = self.chunks.samples;
    done = done && read_samples(&self) && read_presets(&self);
    if (done && self.left_out > 0) {
        bl_sampler_instrument_warn(instrument, "modulators",
                                   "%s: modulators of a kind that is not supported: %u",
                                   self.chunks.name, self.left_out);
    }
    bl_soundfont_chunks_free(&self.chunks);
    return done;
}
