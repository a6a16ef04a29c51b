/* The text of an SFZ file: comments, #define, #include, <headers>, and opcodes with their values.
   What cannot be understood is left out, and the instrument's report says so. */
#pragma once

#include <stdint.h>

#include "sampler/sampler_instrument.h"

/* Where something is said. */
typedef struct bl_sfz_place {
    const char *file; /* relative to the folder */
    uint32_t line;
} bl_sfz_place;

typedef struct bl_sfz_definition {
    const char *name; /* without its $ */
    char *value;
    struct bl_sfz_definition *next;
} bl_sfz_definition;

typedef struct bl_sfz_text {
    bl_sampler_instrument *instrument; /* whose arena has the texts that stay */
    const char *folder;                /* of the first file */
    const char *linked_folder;         /* of the file that the first one is a link to */
    bl_sfz_place place;
    const char *open[16]; /* the files that include each other */
    uint32_t depth;
    uint32_t file_count;
    uint64_t byte_count;
    bl_sfz_definition *definitions;
    /* What is done with the text, which is only lent. */
    void *context;
    void (*header)(void *context, const char *name);
    void (*opcode)(void *context, const char *name, const char *value);
} bl_sfz_text;

/* Goes through a file. False, with the reason in `message`, where it cannot be read. [control] */
bool bl_sfz_text_read(bl_sfz_text *text, const char *file, char *message, size_t message_size);

/* Reports what is left out at the present place. Of one kind, such as the name of an opcode, the
   first is told, and the others are counted. */
__attribute__((format(printf, 3, 4))) void bl_sfz_warn(const bl_sfz_text *text, const char *kind,
                                                       const char *format, ...);

/* The path of the file that is meant, in the arena; of one that is not there, where it should be.
   Slashes may lean either way, letters have either case and be without their accents, and a path
   from another computer's root may end in one that begins in the folder. Paths begin in the folder
   of the first file, of that which it is a link to, or of that which names them. NULL when memory
   is short. [control] */
const char *bl_sfz_path(const bl_sfz_text *text, const char *file);
