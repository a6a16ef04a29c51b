/* The parameter table: each parameter stated once, in the unit's descriptor. */
#ifndef BACKLINE_PARAMETER_H
#define BACKLINE_PARAMETER_H

#include <stddef.h>
#include <stdint.h>

#include "attributes.h"

typedef enum bl_parameter_unit {
    BL_UNIT_GENERIC,
    BL_UNIT_INDEXED, /* whole numbers from minimum; value_strings names them */
    BL_UNIT_BOOLEAN, /* 0 or 1 */
    BL_UNIT_PERCENT, /* 0 to 100 */
    BL_UNIT_HERTZ,
    BL_UNIT_DECIBELS,
    BL_UNIT_SECONDS,
    BL_UNIT_SEMITONES,
    BL_UNIT_CENTS,
    BL_UNIT_DEGREES,
    BL_UNIT_RATIO,
    BL_UNIT_BEATS_PER_MINUTE,
    BL_UNIT_PAN, /* -1 left to 1 right */
    BL_UNIT_MILLISECONDS,
    BL_UNIT_SAMPLE_FRAMES,
    BL_UNIT_BEATS,
    BL_UNIT_OCTAVES,
    BL_UNIT_MIDI_NOTE_NUMBER, /* 0 to 127, 60 is middle C */
    BL_UNIT_MIDI_CONTROLLER,  /* 0 to 127 */
    BL_UNIT_CUSTOM            /* as unit_name has it */
} bl_parameter_unit;

/* The mapping of a knob's travel from minimum to maximum. */
typedef enum bl_parameter_curve {
    BL_CURVE_LINEAR,
    BL_CURVE_LOGARITHMIC, /* minimum must be above 0 */
    BL_CURVE_SQUARED      /* fine at the low end, and may start at 0 */
} bl_parameter_curve;

enum {
    BL_PARAMETER_READABLE = 1 << 0,
    BL_PARAMETER_WRITABLE = 1 << 1,
    /* The unit follows ramp events; without this a host sends plain changes only. */
    BL_PARAMETER_RAMPABLE = 1 << 2,
    /* A template: the parameter exists once for each input bus, in a group named like the bus. */
    BL_PARAMETER_PER_INPUT_BUS = 1 << 3,
    /* A button: each event with the value 1 is a press, at its frame. The value is always 0, so
       states, presets, rack files and undo leave it out. Boolean, writable, with the default 0;
       set_parameter does nothing. */
    BL_PARAMETER_MOMENTARY = 1 << 4,
    /* The unit changes the value, too, as a player does that switches itself off at the end of its
       file: hosts read it after each cycle. Writable, and not rampable. */
    BL_PARAMETER_MOVED_BY_UNIT = 1 << 5,
    /* The unit formats and parses the texts of values: value_text and text_value (unit.h). */
    BL_PARAMETER_HAS_TEXT = 1 << 6,

    /* The usual flags of a knob. */
    BL_PARAMETER_DEFAULT_FLAGS =
        BL_PARAMETER_READABLE | BL_PARAMETER_WRITABLE | BL_PARAMETER_RAMPABLE,
    /* The flags of a parameter without ramps: switches, choices, and settings that are read once a
       note. */
    BL_PARAMETER_STEPPED_FLAGS = BL_PARAMETER_READABLE | BL_PARAMETER_WRITABLE,
    BL_PARAMETER_BUTTON_FLAGS = BL_PARAMETER_STEPPED_FLAGS | BL_PARAMETER_MOMENTARY
};

/* An index into the parameter table, and for a template the input bus. Addresses are transient:
   files store key paths. */
typedef uint64_t bl_parameter_address;

#define BL_PARAMETER_ADDRESS(index, input_bus)                                                     \
    ((bl_parameter_address)(input_bus) << 32 | (uint32_t)(index))
#define BL_PARAMETER_INDEX(address) ((uint32_t)(address))
#define BL_PARAMETER_INPUT_BUS(address) ((uint32_t)((address) >> 32))

/* The index of a parameter in an array of `value_count` values, one table for each input bus;
   value_count for an address that does not exist. [any] */
static inline uint32_t bl_parameter_place(bl_parameter_address address, uint32_t parameter_count,
                                          uint32_t value_count) BL_NONBLOCKING {
    uint32_t index = BL_PARAMETER_INDEX(address);
    uint64_t place = (uint64_t)BL_PARAMETER_INPUT_BUS(address) * parameter_count + index;
    return index < parameter_count && place < value_count ? (uint32_t)place : value_count;
}

/* One parameter. Its key path is group.identifier ("filter.envelope.attack"). */
typedef struct bl_parameter_info {
    const char *identifier; /* letters, digits and _, permanent; "cutoff" */
    const char *group;      /* key path of the group, or NULL at the top */
    const char *name;       /* for people: "Cutoff" */
    bl_parameter_unit unit;
    float minimum, maximum, default_value; /* in `unit` */
    bl_parameter_curve curve;
    uint32_t flags;
    /* Names of the values from minimum on, ended by NULL; or NULL. */
    const char *const *value_strings;
    /* The displayed unit's name for BL_UNIT_CUSTOM; else NULL. */
    const char *unit_name;
    /* Key paths of parameters whose meaning or range depends on this value, ended by NULL; or NULL.
     */
    const char *const *dependent_parameters;
    /* The order in a compact view, from 1; 0 for parameters that it may leave out. */
    uint32_t overview_rank;
} bl_parameter_info;

/* A group's name for people. */
typedef struct bl_parameter_group_info {
    const char *key_path; /* "filter.envelope" */
    const char *name;     /* "Envelope" */
} bl_parameter_group_info;

/* The type of a property's value. */
typedef enum bl_property_kind {
    BL_PROPERTY_TEXT, /* in UTF-8 */
    /* The path of a file to read, relative to the folder of the file that names it. */
    BL_PROPERTY_PATH,
    /* The path of a file that may be missing. Hosts write the output of save_data into it. */
    BL_PROPERTY_DATA_FILE,
    /* Bytes that only the unit understands, such as a learnt noise print: save_data and load_data.
       Hosts keep them in racks and presets, as text by bl_text_of_data. */
    BL_PROPERTY_DATA
} bl_property_kind;

/* A setting that is not a number, such as a sound file's path. */
typedef struct bl_property_info {
    const char *identifier;
    const char *name;
    uint32_t kind; /* a bl_property_kind */
    /* 1: the unit is silent without this property; or 0. */
    uint32_t is_required;
} bl_property_info;

/* One parameter's value in a preset. */
typedef struct bl_preset_value {
    bl_parameter_address address;
    float value;
} bl_preset_value;

/* A preset that ships with the unit; parameters it does not name take their defaults. */
typedef struct bl_factory_preset {
    const char *name;
    const bl_preset_value *values;
    size_t value_count;
} bl_factory_preset;

#endif
