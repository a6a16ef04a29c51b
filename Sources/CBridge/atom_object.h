/* Atom objects, which are lists of properties, written and read in place. [any] */
#pragma once

#include <stdbool.h>
#include <string.h>

#include <lv2/atom/atom.h>

#include "backline/attributes.h"
#include "urid.h"

/* Returns a size padded to eight bytes, as atoms are in objects and sequences. */
static inline uint32_t bl_atom_padded(uint32_t size) BL_NONBLOCKING { return (size + 7) & ~7u; }

/* The size of an object without properties, and the overhead of a property, bytes. */
#define BL_ATOM_OBJECT_SIZE ((uint32_t)sizeof(LV2_Atom_Object_Body))
#define BL_ATOM_PROPERTY_SIZE ((uint32_t)sizeof(LV2_Atom_Property_Body))

/* An object's body that grows in memory with enough room. */
typedef struct bl_atom_object {
    uint8_t *bytes;
    uint32_t size;
} bl_atom_object;

static inline bl_atom_object bl_atom_object_begin(uint8_t *bytes, uint32_t type) BL_NONBLOCKING {
    LV2_Atom_Object_Body body = {0, type};
    memcpy(bytes, &body, sizeof body);
    return (bl_atom_object){bytes, BL_ATOM_OBJECT_SIZE};
}

static inline void bl_atom_object_put(bl_atom_object *object, uint32_t key, uint32_t type,
                                      const void *value, uint32_t size) BL_NONBLOCKING {
    LV2_Atom_Property_Body property = {key, 0, {size, type}};
    uint8_t *place = object->bytes + object->size;
    memcpy(place, &property, sizeof property);
    memcpy(place + sizeof property, value, size);
    memset(place + sizeof property + size, 0, bl_atom_padded(size) - size);
    object->size += BL_ATOM_PROPERTY_SIZE + bl_atom_padded(size);
}

typedef struct bl_atom_property {
    uint32_t key, type, size;
    const uint8_t *value;
} bl_atom_property;

/* Reads the property at `place`, which starts at BL_ATOM_OBJECT_SIZE and moves past it; false at
   the end of the object, whose body has `size` bytes, or if it is malformed. */
static inline bool bl_atom_object_next(const uint8_t *bytes, uint32_t size, uint32_t *place,
                                       bl_atom_property *property) BL_NONBLOCKING {
    LV2_Atom_Property_Body body;
    if (*place > size || size - *place < sizeof body) {
        return false;
    }
    memcpy(&body, bytes + *place, sizeof body);
    uint32_t left = size - *place - BL_ATOM_PROPERTY_SIZE;
    if (body.value.size > left) {
        return false;
    }
    *property = (bl_atom_property){body.key, body.value.type, body.value.size,
                                   bytes + *place + BL_ATOM_PROPERTY_SIZE};
    *place += BL_ATOM_PROPERTY_SIZE + bl_atom_padded(body.value.size);
    return true;
}

/* Reads an atom as a number; false if it is none. */
static inline bool bl_atom_number(const bl_urids *urids, uint32_t type, const void *value,
                                  uint32_t size, float *number) BL_NONBLOCKING {
    union {
        float single;
        double twice;
        int32_t whole;
        int64_t long_whole;
    } atom = {0};
    bool is_long = type == urids->atom_double || type == urids->atom_long;
    bool is_number =
        is_long || type == urids->atom_float || type == urids->atom_int || type == urids->atom_bool;
    if (!is_number || size != (is_long ? 8 : 4)) {
        return false;
    }
    memcpy(&atom, value, size);
    *number = type == urids->atom_float    ? atom.single
              : type == urids->atom_double ? (float)atom.twice
              : type == urids->atom_long   ? (float)atom.long_whole
                                           : (float)atom.whole;
    return true;
}
