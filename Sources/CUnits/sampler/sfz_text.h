/* The text of an SFZ file: comments, #define, #include, <headers>, and opcodes with their values.
 */
#ifndef BACKLINE_SFZ_TEXT_H
#define BACKLINE_SFZ_TEXT_H

#include <stdint.h>

#include "backline/arena.h"

/* Where an error is, and what it is. */
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
    bl_arena *arena;
    const char *folder; /* of the first file; nothing outside of it is read */
    bl_sfz_place place;
    const char *open[16]; /* the files that include each other */
    uint32_t depth;
    uint32_t file_count;
    uint64_t byte_count;
    bl_sfz_definition *definitions;
    char *message;
    size_t message_size;
    /* What is done with the text, which is only lent; false where that fails, with a message. */
    void *context;
    bool (*header)(void *context, const char *name);
    bool (*opcode)(void *context, const char *name, const char *value);
} bl_sfz_text;

/* Goes through a file of the folder. [control] */
bool bl_sfz_text_read(bl_sfz_text *text, const char *file);

/* A message that begins with the place; false. */
__attribute__((format(printf, 2, 3))) bool bl_sfz_refuse(const bl_sfz_text *text,
                                                         const char *format, ...);

/* The path of a file in the folder, in the arena: with slashes, and with the letters' case that the
   file system has where only that differs. NULL, and a message, for paths that lead out of the
   folder and when memory is short. */
const char *bl_sfz_path(const bl_sfz_text *text, const char *file);

#endif
