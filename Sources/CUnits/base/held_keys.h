/* The held keys, in the order in which they were struck. */
#pragma once

#include <stddef.h>

#include "backline/midi.h"

/* The most keys held, as many as one channel has. Beyond it, the key struck first is dropped. */
#define BL_MOST_HELD_KEYS 128
/* A note number that means all keys of a channel. */
#define BL_ALL_KEYS UINT8_MAX

typedef struct bl_held_key {
    uint8_t channel, note, velocity;
} bl_held_key;

/* A list of held keys. All zero: empty. */
typedef struct bl_held_keys {
    bl_held_key keys[BL_MOST_HELD_KEYS];
    uint32_t count;
} bl_held_keys;

/* The key of a note's message. [render] */
static inline bl_held_key bl_held_key_of(const bl_midi_event *message) BL_NONBLOCKING {
    return (bl_held_key){message->bytes[0] & 15, message->bytes[1], message->bytes[2]};
}

/* Removes a key of a channel, or all; returns whether there was one. [render] */
static inline bool bl_held_keys_remove(bl_held_keys *keys, uint8_t channel,
                                       uint8_t note) BL_NONBLOCKING {
    uint32_t kept = 0, before = keys->count;
    for (uint32_t index = 0; index < before; index += 1) {
        bl_held_key key = keys->keys[index];
        if (key.channel != channel || (note != BL_ALL_KEYS && key.note != note)) {
            keys->keys[kept++] = key;
        }
    }
    keys->count = kept;
    return kept < before;
}

/* Appends a key, once. [render] */
static inline void bl_held_keys_strike(bl_held_keys *keys, bl_held_key key) BL_NONBLOCKING {
    bl_held_keys_remove(keys, key.channel, key.note);
    if (keys->count == BL_MOST_HELD_KEYS) {
        bl_held_keys_remove(keys, keys->keys[0].channel, keys->keys[0].note);
    }
    keys->keys[keys->count++] = key;
}

/* The key struck last; NULL if none is held. [render] */
static inline const bl_held_key *bl_held_keys_last(const bl_held_keys *keys) BL_NONBLOCKING {
    return keys->count > 0 ? &keys->keys[keys->count - 1] : NULL;
}
