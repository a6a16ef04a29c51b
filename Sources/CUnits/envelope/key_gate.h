/* The gate of a monophonic unit: open while any key is down, or held by a sustain pedal. */
#pragma once

#include "base/held_keys.h"

/* A gate. All zero: closed. */
typedef struct bl_key_gate {
    bl_held_keys keys;
    uint16_t pedals; /* pressed pedals, one bit per channel */
    uint16_t held;   /* channels whose pedal holds a released key */
} bl_key_gate;

/* Whether the gate is open. [render] */
static inline bool bl_key_gate_is_open(const bl_key_gate *gate) BL_NONBLOCKING {
    return gate->keys.count > 0 || gate->held != 0;
}

/* Applies a whole channel message. [render] */
static inline void bl_key_gate_receive(bl_key_gate *gate,
                                       const bl_midi_event *message) BL_NONBLOCKING {
    uint8_t channel = message->bytes[0] & 0x0F, controller = message->bytes[1];
    uint16_t bit = (uint16_t)(1u << channel);
    if (bl_midi_is_note_on(message)) {
        bl_held_keys_strike(&gate->keys, bl_held_key_of(message));
    } else if (bl_midi_is_note_off(message)) {
        bool was_down = bl_held_keys_remove(&gate->keys, channel, message->bytes[1]);
        gate->held |= was_down ? gate->pedals & bit : 0;
    } else if (bl_midi_is_all_off(message)) {
        bl_held_keys_remove(&gate->keys, channel, BL_ALL_KEYS);
        gate->held &= (uint16_t)~bit;
    } else if ((message->bytes[0] & 0xF0) == BL_CONTROLLER) {
        if (controller == BL_SUSTAIN_PEDAL && message->bytes[2] >= 64) {
            gate->pedals |= bit;
        } else if (controller == BL_SUSTAIN_PEDAL || controller == BL_RESET_ALL_CONTROLLERS) {
            gate->pedals &= (uint16_t)~bit;
            gate->held &= (uint16_t)~bit;
        }
    }
}
