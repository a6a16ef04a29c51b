/* Reads an instrument's samples: all of them if they fit into the allowed memory, else their
   starts, and their loops. */
#include <math.h>
#include <stdio.h>

#include "sampler/sampler_instrument.h"

/* Frames of a sample that are kept if not all are: as many as fit. */
enum { LONGEST_HEAD = 65536, SHORTEST_HEAD = 16384 };
/* The time between two checks of the streams, milliseconds. */
enum { LONGEST_REST = 250, SHORTEST_REST = 20 };

/* The last frame at which a voice of the region may start. */
static double last_offset(const bl_region *region) {
    double offset = (double)region->offset + region->offset_random;
    for (uint32_t index = 0; index < region->modulation_count; index += 1) {
        const bl_modulation *modulation = &region->modulations[index];
        /* The wheel moves both ways. */
        double amount = (double)modulation->amount;
        amount = modulation->source == BL_SOURCE_BEND ? fabs(amount) : amount;
        if (modulation->target == BL_TARGET_OFFSET && amount > 0) {
            offset += amount;
        }
    }
    return offset;
}

static void keep_head(bl_sample *sample, double frames) {
    if (frames > sample->head) {
        sample->head = frames < sample->frames ? (uint32_t)frames : sample->frames;
    }
}

static void keep_loop(bl_sample *sample, const bl_region *region) {
    uint32_t start = region->loop_start - bl_region_cross_fade(region);
    bool first = sample->middle_start == sample->middle_end;
    if (first || start < sample->middle_start) {
        sample->middle_start = start;
    }
    if (first || region->loop_end > sample->middle_end) {
        sample->middle_end = region->loop_end;
    }
}

/* A middle that starts in the head is part of it. */
static void join(bl_sample *sample) {
    if (sample->middle_start <= sample->head) {
        keep_head(sample, sample->middle_end);
        sample->middle_start = sample->middle_end = sample->frames;
    }
}

/* Plans the kept frames of each sample, with `head` frames after voices' starts; returns the bytes
   of all. */
static uint64_t plan(bl_sampler_instrument *instrument, double head) {
    for (uint32_t index = 0; index < instrument->sample_count; index += 1) {
        bl_sample *sample = instrument->samples[index];
        sample->head = sample->middle_start = sample->middle_end = 0;
        keep_head(sample, sample->path != NULL ? head : UINT32_MAX);
    }
    for (uint32_t index = 0; index < instrument->region_count; index += 1) {
        const bl_region *region = &instrument->regions[index];
        if (region->sample != NULL) {
            keep_head(region->sample, head + last_offset(region));
            if (region->loop_mode >= BL_LOOP_CONTINUOUS) {
                keep_loop(region->sample, region);
            }
        }
    }
    uint64_t size = 0;
    for (uint32_t index = 0; index < instrument->sample_count; index += 1) {
        join(instrument->samples[index]);
        size += bl_sample_size(instrument->samples[index]);
    }
    return size;
}

/* The streams' rest: a quarter of the milliseconds that the head of any sample lasts, and a full
   ring after it, an octave above its highest key, for bends and tuning; the disk has the remaining
   time. */
static int32_t rest(const bl_sampler_instrument *instrument) {
    double least = LONGEST_REST;
    for (uint32_t index = 0; index < instrument->region_count; index += 1) {
        const bl_region *region = &instrument->regions[index];
        if (region->sample != NULL && !bl_sample_is_whole(region->sample)) {
            double speed =
                region->sample->sample_rate * exp2(bl_region_cents(region, 1) / 1200 + 1);
            double frames =
                fmin(region->sample->head - last_offset(region), BL_SAMPLE_STREAM_FRAMES);
            least = fmin(least, 250 * frames / speed);
        }
    }
    return least > SHORTEST_REST ? (int32_t)least : SHORTEST_REST;
}

/* Creates streams for the frames that are left out, if any are. */
static bool stream(bl_sampler_instrument *instrument) {
    bool is_whole = true;
    for (uint32_t index = 0; index < instrument->sample_count; index += 1) {
        is_whole = is_whole && bl_sample_is_whole(instrument->samples[index]);
    }
    instrument->streams = is_whole ? NULL : bl_sample_streams_create(rest(instrument));
    return is_whole || instrument->streams != NULL;
}

bool bl_sampler_instrument_load(bl_sampler_instrument *instrument, char *message,
                                size_t message_size) {
    uint64_t size = plan(instrument, UINT32_MAX);
    for (uint32_t head = LONGEST_HEAD; size > instrument->memory && head >= SHORTEST_HEAD;
         head /= 2) {
        size = plan(instrument, head);
    }
    if (size > instrument->memory) {
        snprintf(message, message_size,
                 "even how its samples begin, and their loops, needs more than %llu MiB of memory "
                 "(the property “memory”)",
                 (unsigned long long)instrument->memory >> 20);
        return false;
    }
    for (uint32_t index = 0; index < instrument->sample_count; index += 1) {
        bl_sample *sample = instrument->samples[index];
        if (sample->path != NULL && !bl_sample_load(sample, message, message_size)) {
            return false;
        }
    }
    if (!stream(instrument)) {
        snprintf(message, message_size, "no memory or thread to read its samples from the disk");
        return false;
    }
    return true;
}
