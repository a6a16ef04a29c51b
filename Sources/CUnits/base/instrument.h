/* Base of keyed instruments: voices and a tuning. Such a unit's structure has a bl_instrument as
   its first member. */
#pragma once

#include "base/effect.h"
#include "base/keys.h"

typedef struct bl_instrument {
    bl_unit_base base;
    bl_keys keys;
    bl_tuning_slot tuning;
} bl_instrument;

/* The `create` of such a unit's kit: keys with `slot_count` slots. False when memory is short.
   [control] */
bool bl_instrument_create(bl_unit *unit, const bl_key_actions *actions, uint32_t slot_count);

/* The `destroy` and the `cycle` of an instrument's kit. [control; render] */
void bl_instrument_destroy(bl_unit *unit);
void bl_instrument_cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING;

/* The `midi` and the `express` of an instrument's kit. [render] */
void bl_instrument_midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING;
void bl_instrument_express(bl_unit *unit, bl_io *io,
                           const bl_expression_event *event) BL_NONBLOCKING;

/* The functions of the descriptor. [control] */
bl_status bl_instrument_set_property(bl_unit *unit, uint32_t index, const char *value,
                                     char *message, size_t message_size);

/* The level of a voice, 0 to 1. [render] */
typedef float (*bl_instrument_level)(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING;

/* Fills in the level of each key, that of its loudest voice, 0 to 1 (BL_TUNING_KEYS). [render] */
uint32_t bl_instrument_read_notes(const bl_unit *unit, bl_instrument_level level,
                                  float *values) BL_NONBLOCKING;

static const bl_bus_info bl_instrument_output[] = {{"output", 2, 0}};
static const bl_channel_capability bl_instrument_capabilities[] = {{0, 1}, {0, 2}};
static const bl_property_info bl_instrument_properties[] = {BL_TUNING_PROPERTIES};
static const bl_telemetry_info bl_instrument_telemetry[] = {
    {"notes", "Notes", BL_TELEMETRY_CURVE, BL_TUNING_KEYS}};

/* Descriptor members of an instrument: aumu/ABCD/bkln. Its file has `read_telemetry`. */
#define BL_INSTRUMENT(A, B, C, D)                                                                  \
    BL_BUILT_IN(BL_TYPE_INSTRUMENT, A, B, C, D),                                                   \
        .flags = BL_UNIT_MIDI_INPUT | BL_UNIT_SUPPORTS_MPE | BL_UNIT_NOTE_EXPRESSIONS,             \
        .output_busses = bl_instrument_output, .output_bus_count = 1,                              \
        .channel_capabilities = bl_instrument_capabilities, .channel_capability_count = 2,         \
        .properties = bl_instrument_properties, .property_count = BL_TUNING_PROPERTY_COUNT,        \
        .set_property = bl_instrument_set_property, .telemetry = bl_instrument_telemetry,          \
        .telemetry_count = 1, .read_telemetry = read_telemetry
