/* What instruments share that keys play: voices, a tuning, and the render function, which cuts the
   cycle at its events. Such a unit's structure has a bl_instrument as its first member. */
#ifndef BACKLINE_INSTRUMENT_H
#define BACKLINE_INSTRUMENT_H

#include "base/effect.h"
#include "base/keys.h"

typedef struct bl_instrument {
    bl_unit_base base;
    bl_keys keys;
    bl_tuning_slot tuning;
} bl_instrument;

/* Creates a unit of `size` bytes whose keys have so many slots. NULL: no memory. [control] */
bl_unit *bl_instrument_create(const bl_unit_descriptor *descriptor, size_t size,
                              const bl_key_actions *actions, uint32_t slot_count);

/* Those of the descriptor. [control] */
void bl_instrument_destroy(bl_unit *unit);
bl_status bl_instrument_set_property(bl_unit *unit, uint32_t index, const char *value,
                                     char *message, size_t message_size);

/* How loud a voice is, 0 to 1. [render] */
typedef float (*bl_instrument_level)(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING;

/* How loud each key sounds: its loudest voice, 0 to 1 (BL_TUNING_KEYS). [render] */
uint32_t bl_instrument_read_notes(const bl_unit *unit, bl_instrument_level level,
                                  float *values) BL_NONBLOCKING;

/* Renders one cycle; the other arguments are the descriptor's render's. [render] */
bl_status bl_instrument_render(bl_unit *unit, const bl_timestamp *timestamp, uint32_t frames,
                               uint32_t bus, bl_buffers *output, const bl_event *events,
                               const bl_render_host *host, bl_effect_apply apply,
                               bl_effect_process process) BL_NONBLOCKING;

/* Defines an instrument's `render` and its `read_telemetry`. */
#define BL_INSTRUMENT_RENDER(APPLY, PROCESS, LEVEL)                                                \
    static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,          \
                            uint32_t frames, uint32_t bus, bl_buffers *output,                     \
                            const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {   \
        (void)flags;                                                                               \
        return bl_instrument_render(unit, timestamp, frames, bus, output, events, host, APPLY,     \
                                    PROCESS);                                                      \
    }                                                                                              \
    static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values)             \
        BL_NONBLOCKING {                                                                           \
        (void)index;                                                                               \
        return bl_instrument_read_notes(unit, LEVEL, values);                                      \
    }

static const bl_bus_info bl_instrument_output[] = {{"output", 2, 0}};
static const bl_channel_capability bl_instrument_capabilities[] = {{0, 1}, {0, 2}};
static const bl_property_info bl_instrument_properties[] = {BL_TUNING_PROPERTIES};
static const bl_telemetry_info bl_instrument_telemetry[] = {
    {"notes", "Notes", BL_TELEMETRY_CURVE, BL_TUNING_KEYS}};

/* An instrument's members of its descriptor, besides those of BL_BUILT_IN. */
#define BL_INSTRUMENT                                                                              \
    .flags = BL_UNIT_MIDI_INPUT | BL_UNIT_SUPPORTS_MPE, .output_busses = bl_instrument_output,     \
    .output_bus_count = 1, .channel_capabilities = bl_instrument_capabilities,                     \
    .channel_capability_count = 2, .properties = bl_instrument_properties,                         \
    .property_count = BL_TUNING_PROPERTY_COUNT, .set_property = bl_instrument_set_property,        \
    .telemetry = bl_instrument_telemetry, .telemetry_count = 1, .read_telemetry = read_telemetry,  \
    .destroy = bl_instrument_destroy, .deallocate_render_resources = bl_unit_base_deallocate,      \
    .parameter_value = bl_unit_base_parameter_value,                                               \
    .allocate_render_resources = bl_unit_base_allocate_and_reset

#endif
