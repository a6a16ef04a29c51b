/* The opcodes of SFZ for a region. */
#pragma once

#include "sampler/sampler_region.h"

typedef enum bl_opcode_kind {
    BL_OPCODE_NUMBER, /* float */
    BL_OPCODE_WHOLE,  /* int32_t */
    BL_OPCODE_KEY,    /* int32_t: -1 to 127, or a name such as c#4 */
    BL_OPCODE_FRAMES, /* uint32_t */
    BL_OPCODE_CHOICE, /* int32_t: an index into `choices` */
    BL_OPCODE_SWITCH, /* bool: an index into `choices` */
    /* Opcodes with meanings of their own. */
    BL_OPCODE_ALL_KEYS,
    BL_OPCODE_CENTER_KEY,
    BL_OPCODE_SWITCH_LAST,
    BL_OPCODE_END,
    BL_OPCODE_LOOP_START,
    BL_OPCODE_LOOP_END,
    BL_OPCODE_SAMPLE, /* text */
    BL_OPCODE_IGNORED /* no effect on the sound */
} bl_opcode_kind;

/* An opcode without a number in its name. */
typedef struct bl_opcode {
    const char *name;
    bl_opcode_kind kind;
    size_t offset; /* offset in the region */
    double low, high;
    const char *const *choices; /* ended by NULL */
} bl_opcode;

/* An opcode whose name ends in a controller's number. */
typedef enum bl_numbered_kind {
    BL_NUMBERED_CONDITION,  /* `high` */
    BL_NUMBERED_START,      /* `high`; the controller starts the region */
    BL_NUMBERED_FADE,       /* `out`, `high` */
    BL_NUMBERED_MODULATION, /* `target` */
    BL_NUMBERED_VELOCITY_LEVEL
} bl_numbered_kind;

typedef struct bl_numbered_opcode {
    const char *name;
    bl_numbered_kind kind;
    bool high, out;
    bl_target target;
    float limit;    /* limit of its value, ± */
    int32_t source; /* -1: the number in the name */
} bl_numbered_opcode;

extern const bl_opcode bl_opcodes[];
extern const size_t bl_opcode_count;

/* Finds an opcode by its name; NULL if there is none. [control] */
const bl_opcode *bl_opcode_find(const char *name);
/* Finds an opcode with a number, and returns the number. */
bool bl_numbered_opcode_find(const char *name, bl_numbered_opcode *found, uint32_t *number);
