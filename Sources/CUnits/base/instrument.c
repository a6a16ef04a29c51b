#include "base/instrument.h"

#include <stdlib.h>

bool bl_instrument_create(bl_unit *unit, const bl_key_actions *actions, uint32_t slot_count) {
    bl_instrument *instrument = (bl_instrument *)unit;
    instrument->keys.actions = actions;
    instrument->keys.tuning = &instrument->tuning;
    instrument->keys.slot_count = slot_count;
    instrument->keys.voices = calloc(slot_count, sizeof *instrument->keys.voices);
    bl_tuning_begin(&instrument->tuning);
    return instrument->keys.voices != NULL;
}

void bl_instrument_destroy(bl_unit *unit) {
    bl_instrument *instrument = (bl_instrument *)unit;
    bl_tuning_end(&instrument->tuning);
    free(instrument->keys.voices);
}

void bl_instrument_cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    (void)io;
    bl_instrument *instrument = (bl_instrument *)unit;
    if (bl_tuning_update(&instrument->tuning)) {
        bl_keys_tune(&instrument->keys, unit);
    }
}

void bl_instrument_express(bl_unit *unit, bl_io *io,
                           const bl_expression_event *event) BL_NONBLOCKING {
    (void)io;
    bl_keys_express(&((bl_instrument *)unit)->keys, unit, event);
}

void bl_instrument_midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    bl_keys *keys = &((bl_instrument *)unit)->keys;
    bl_keys_receive(keys, unit, message);
    bl_keys_name(keys, message, io->note_id);
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
