#include "base/instrument.h"

#include <stdlib.h>

bl_unit *bl_instrument_create(const bl_unit_descriptor *descriptor, size_t size,
                              const bl_key_actions *actions, uint32_t slot_count) {
    bl_unit *unit = bl_unit_base_create(descriptor, size);
    bl_instrument *instrument = (bl_instrument *)unit;
    if (instrument == NULL) {
        return NULL;
    }
    instrument->keys.actions = actions;
    instrument->keys.tuning = &instrument->tuning;
    instrument->keys.slot_count = slot_count;
    instrument->keys.voices = calloc(slot_count, sizeof *instrument->keys.voices);
    bl_tuning_begin(&instrument->tuning);
    if (instrument->keys.voices == NULL) {
        bl_instrument_destroy(unit);
        return NULL;
    }
    return unit;
}

void bl_instrument_destroy(bl_unit *unit) {
    bl_instrument *instrument = (bl_instrument *)unit;
    bl_tuning_end(&instrument->tuning);
    free(instrument->keys.voices);
    bl_unit_base_destroy(unit);
}

bl_status bl_instrument_set_property(bl_unit *unit, uint32_t index, const char *value,
                                     char *message, size_t message_size) {
    return bl_tuning_set_property(&((bl_instrument *)unit)->tuning, index, value, message,
                                  message_size);
}

uint32_t bl_instrument_read_notes(const bl_unit *unit, bl_instrument_level level,
                                  float *values) BL_NONBLOCKING {
    const bl_keys *keys = &((const bl_instrument *)unit)->keys;
    for (uint32_t key = 0; key < BL_TUNING_KEYS; key += 1) {
        values[key] = 0;
    }
    for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
        if (keys->voices[slot].stage != BL_KEY_FREE) {
            float *value = &values[keys->voices[slot].note];
            float loud = level(unit, slot);
            *value = loud > *value ? loud : *value;
        }
    }
    return BL_TUNING_KEYS;
}

bl_status bl_instrument_render(bl_unit *unit, const bl_timestamp *timestamp, uint32_t frames,
                               uint32_t bus, bl_buffers *output, const bl_event *events,
                               const bl_render_host *host, bl_effect_apply apply,
                               bl_effect_process process) BL_NONBLOCKING {
    bl_instrument *instrument = (bl_instrument *)unit;
    bl_status status = bl_render_check(&instrument->base, frames, bus);
    if (status != BL_OK) {
        return status;
    }
    if (host->musical_context != NULL) {
        instrument->base.quarter = bl_quarter_seconds(host->musical_context);
    }
    if (bl_tuning_update(&instrument->tuning)) {
        bl_keys_tune(&instrument->keys, unit);
    }
    bl_unit_base_provide_output(&instrument->base, output);
    bl_buffers input = {0, NULL};
    bl_effect_segments(unit, &input, output, timestamp, frames, events, apply, process);
    return BL_OK;
}
