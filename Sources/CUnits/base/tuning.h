/* The pitches of keys, from files of Scala (Manuel Op de Coul, "Scala scale file format" and "Scala
   keyboard mapping file format"): .scl says which steps a scale has, .kbm which keys play them.

   One thread reads files, while another plays: three tables go round between them, so that neither
   waits. */
#pragma once

#include <stdatomic.h>

#include "backline/unit.h"

enum { BL_TUNING_KEYS = 128 };

/* Octaves above 440 Hz, by key; NAN for one that plays nothing. */
typedef struct bl_tuning {
    float octaves[BL_TUNING_KEYS];
} bl_tuning;

typedef struct bl_tuning_slot {
    bl_tuning tables[3];
    uint32_t front, back;    /* tables of the thread that plays, and of the one that reads */
    _Atomic uint32_t middle; /* the third; marked where it was read since */
    char *scale, *mapping;   /* paths; NULL: none */
} bl_tuning_slot;

/* The properties that choose the files, for an instrument's table: set_property's indices. */
enum { BL_TUNING_SCALE, BL_TUNING_MAPPING, BL_TUNING_PROPERTY_COUNT };
#define BL_TUNING_PROPERTIES                                                                       \
    {"scale", "Scale", BL_PROPERTY_PATH, 0}, { "mapping", "Keyboard Mapping", BL_PROPERTY_PATH, 0 }

/* Equal temperament with A4 at 440 Hz. [control] */
void bl_tuning_begin(bl_tuning_slot *slot);
/* Frees the paths. [control] */
void bl_tuning_end(bl_tuning_slot *slot);
/* The rest of a set_property: an empty path takes the file away. [control] */
bl_status bl_tuning_set_property(bl_tuning_slot *slot, uint32_t index, const char *path,
                                 char *message, size_t message_size);

/* Takes over what was read since; whether that changed anything. [render, or idle] */
bool bl_tuning_update(bl_tuning_slot *slot) BL_NONBLOCKING;
/* Octaves above 440 Hz. [render, or idle] */
static inline float bl_tuning_pitch(const bl_tuning_slot *slot, uint8_t key) BL_NONBLOCKING {
    return slot->tables[slot->front].octaves[key];
}

/* Whether the key plays anything. [render, or idle] */
static inline bool bl_tuning_plays(const bl_tuning_slot *slot, uint8_t key) BL_NONBLOCKING {
    float octaves = bl_tuning_pitch(slot, key);
    return octaves == octaves;
}

/* Fills in a table from files; `mapping` may be NULL, and `scale` too. False, and the reason in
   `message`, where a file cannot be read. [control] */
bool bl_tuning_read(const char *scale, const char *mapping, bl_tuning *tuning, char *message,
                    size_t message_size);
