/* The reader of SFZ files: sfz_reader.c handles the headers, sfz_values.c the values of opcodes,
   sfz_region.c the regions. */
#pragma once

#include "sampler/sampler_instrument.h"
#include "sampler/sfz_opcodes.h"
#include "sampler/sfz_text.h"

/* An opcode with its value. */
typedef struct bl_sfz_setting {
    const bl_opcode *opcode; /* NULL: see `numbered` */
    bl_numbered_opcode numbered;
    uint32_t number;
    double value;
    const char *text; /* path of a sample, NULL for silence */
    bl_sfz_place place;
} bl_sfz_setting;

enum { BL_SFZ_SETTINGS = 1000 /* most settings of one header */ };

/* The settings of a header, in order. */
typedef struct bl_sfz_level {
    bl_sfz_setting settings[BL_SFZ_SETTINGS];
    uint32_t count;
} bl_sfz_level;

/* The headers; each clears those after it. */
typedef enum bl_sfz_header {
    BL_SFZ_GLOBAL,
    BL_SFZ_MASTER,
    BL_SFZ_GROUP,
    BL_SFZ_REGION,
    BL_SFZ_LEVEL_COUNT,
    BL_SFZ_CONTROL,
    BL_SFZ_OTHER,
    BL_SFZ_NONE
} bl_sfz_header;

/* A sample that was read, with its path. */
typedef struct bl_sfz_loaded {
    const char *path;
    bl_sample *sample;
    struct bl_sfz_loaded *next;
} bl_sfz_loaded;

typedef struct bl_sfz_reader {
    bl_sampler_instrument *instrument;
    bl_sfz_text text;
    bl_sfz_header header;
    bl_sfz_level *levels; /* one per header */
    bool in_region;
    bl_sfz_place region_place;
    const char *default_path;
    int32_t key_offset;
    uint32_t capacity; /* capacity of the regions */
    bl_sfz_loaded *loaded;
} bl_sfz_reader;

/* Reads the value of an opcode; false, and a remark, if it is invalid. [control] */
bool bl_sfz_value(bl_sfz_reader *self, const bl_opcode *opcode, const char *text,
                  bl_sfz_setting *to);
/* Reads the value of an opcode with a number, likewise. */
bool bl_sfz_numbered_value(bl_sfz_reader *self, const char *name, const char *text,
                           bl_sfz_setting *to);
/* Applies an opcode of <control>. */
void bl_sfz_control(bl_sfz_reader *self, const char *name, const char *value);
void bl_sfz_warn_of_unknown(const bl_sfz_reader *self, const char *name);

/* Makes a region of all its settings; false, and a remark, if it would play nothing. */
bool bl_sfz_region(bl_sfz_reader *self, bl_region *region);
