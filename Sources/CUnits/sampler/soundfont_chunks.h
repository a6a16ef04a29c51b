/* The chunks of a SoundFont 2 file ("SoundFont Technical Specification 2.04", Creative, 2006). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sampler/sampler_instrument.h"

/* The lists of records, in the order of a file. */
typedef enum bl_soundfont_list {
    BL_PRESET_HEADERS,
    BL_PRESET_BAGS,
    BL_PRESET_MODULATORS,
    BL_PRESET_GENERATORS,
    BL_INSTRUMENTS,
    BL_INSTRUMENT_BAGS,
    BL_INSTRUMENT_MODULATORS,
    BL_INSTRUMENT_GENERATORS,
    BL_SAMPLE_HEADERS,
    BL_SOUNDFONT_LIST_COUNT
} bl_soundfont_list;

typedef struct bl_soundfont_chunks {
    bl_sampler_instrument *instrument; /* receives the remarks */
    const char *name;                  /* name of the file, for messages */
    char *message;
    size_t message_size;
    unsigned char *records[BL_SOUNDFONT_LIST_COUNT];
    uint32_t counts[BL_SOUNDFONT_LIST_COUNT]; /* including the last one, which only ends the list */
    void *samples;                            /* 16 bits, or floats if the file has 24 */
    bool are_floats;
    uint32_t frames;
} bl_soundfont_chunks;

/* Reads a file; false and a message on failure. The chunks must be freed in either case.
   [control] */
bool bl_soundfont_chunks_read(bl_soundfont_chunks *chunks, const char *path);
/* Frees all but the samples. */
void bl_soundfont_chunks_free(bl_soundfont_chunks *chunks);

/* Writes a message that starts with the chunk; returns false. [control] */
__attribute__((format(printf, 3, 4))) bool
bl_soundfont_refuse(const bl_soundfont_chunks *chunks, const char *chunk, const char *format, ...);

extern const char *const bl_soundfont_list_names[BL_SOUNDFONT_LIST_COUNT];

/* Bytes `offset` of record `index` of a list. */
const unsigned char *bl_soundfont_record(const bl_soundfont_chunks *chunks, bl_soundfont_list list,
                                         uint32_t index, uint32_t offset);

static inline uint32_t bl_little_16(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}
static inline uint32_t bl_little_32(const unsigned char *bytes) {
    return bl_little_16(bytes) | bl_little_16(bytes + 2) << 16;
}
