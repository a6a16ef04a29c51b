/* The pitches of keys, from files of Scala (Manuel Op de Coul, "Scala scale file format" and "Scala
 * keyboard mapping file format"): .scl has the steps of a scale, .kbm the keys that play them.
 *
 * One thread reads files, while another plays: they exchange three tables, so that neither waits.
 */
#pragma once

#include <stdatomic.h>

#include "backline/unit.h"

enum { BL_TUNING_KEYS = 128 };

/* Pitches by key, octaves above 440 Hz; NAN for a key that plays nothing. */
typedef struct bl_tuning {
    float octaves[BL_TUNING_KEYS];
} bl_tuning;

typedef struct bl_tuning_slot {
    bl_tuning tables[3];
    uint32_t front, back; /* indices of the playing thread's table, and of the reading thread's */
    _Atomic uint32_t middle; /* the third table; marked if it was filled since the last exchange */
    char *scale, *mapping;   /* paths, or NULL */
} bl_tuning_slot;

/* The properties that choose the files, for an instrument's table: set_property's indices. */
enum { BL_TUNING_SCALE, BL_TUNING_MAPPING, BL_TUNING_PROPERTY_COUNT };
#define BL_TUNING_PROPERTIES                                                                       \
    {"scale", "Scale", BL_PROPERTY_PATH, 0}, { "mapping", "Keyboard Mapping", BL_PROPERTY_PATH, 0 }

/* Equal temperament with A4 at 440 Hz. [control] */
void bl_tuning_begin(bl_tuning_slot *slot);
/* Frees the paths. [control] */
void bl_tuning_end(bl_tuning_slot *slot);
/* Sets a path property, as a part of set_property; an empty path removes the file. [control] */
bl_status bl_tuning_set_property(bl_tuning_slot *slot, uint32_t index, const char *path,
                                 char *message, size_t message_size);

/* Switches to the last table read; returns whether there was a new one. [render, or idle] */
bool bl_tuning_update(bl_tuning_slot *slot) BL_NONBLOCKING;
/* The pitch of a key, octaves above 440 Hz. [render, or idle] */
static inline float bl_tuning_pitch(const bl_tuning_slot *slot, uint8_t key) BL_NONBLOCKING {
    return slot->tables[slot->front].octaves[key];
}

/* Whether the key has a pitch. [render, or idle] */
static inline bool bl_tuning_plays(const bl_tuning_slot *slot, uint8_t key) BL_NONBLOCKING {
    float octaves = bl_tuning_pitch(slot, key);
    return octaves == octaves;
}

/* Fills in a table from files; `scale` and `mapping` may be NULL. False, and the reason in
   `message`, if a file cannot be read. [control] */
bool bl_tuning_read(const char *scale, const char *mapping, bl_tuning *tuning, char *message,
                    size_t message_size);
