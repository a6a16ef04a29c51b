/* The text of an SFZ file: comments, #define, #include, <headers>, and opcodes with their values.
   Text that is not understood is left out, and reported by the instrument. */
#pragma once

#include <stdint.h>

#include "sampler/sampler_instrument.h"

/* A position in a file. */
typedef struct bl_sfz_place {
    const char *file; /* relative to the folder */
    uint32_t line;
} bl_sfz_place;

typedef struct bl_sfz_definition {
    const char *name; /* without the $ */
    char *value;
    struct bl_sfz_definition *next;
} bl_sfz_definition;

typedef struct bl_sfz_text {
    bl_sampler_instrument *instrument; /* owner of the arena for permanent texts */
    const char *folder;                /* folder of the first file */
    const char *linked_folder;         /* folder of the target if the first file is a link */
    bl_sfz_place place;
    const char *open[16]; /* files that include each other, innermost last */
    uint32_t depth;
    uint32_t file_count;
    uint64_t byte_count;
    bl_sfz_definition *definitions;
    /* The callbacks; texts are valid for the call. */
    void *context;
    void (*header)(void *context, const char *name);
    void (*opcode)(void *context, const char *name, const char *value);
} bl_sfz_text;

/* Reads a file. False, with the reason in `message`, on failure. [control] */
bool bl_sfz_text_read(bl_sfz_text *text, const char *file, char *message, size_t message_size);

/* Reports a part that is left out at the present position. For one kind, such as the name of an
   opcode, the first is written, and the others are counted. */
__attribute__((format(printf, 3, 4))) void bl_sfz_warn(const bl_sfz_text *text, const char *kind,
                                                       const char *format, ...);

/* The path of the file that is meant, in the arena; for a missing one, its expected path. Slashes
   may lean either way, letters may differ in case and accents, and a path from another computer's
   root may end in one that starts in the folder. Paths start in the folder of the first file, of
   its link's target, or of the file that names them. NULL when memory is short. [control] */
const char *bl_sfz_path(const bl_sfz_text *text, const char *file);
