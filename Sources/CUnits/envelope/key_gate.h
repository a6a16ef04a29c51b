/* The gate of a monophonic unit: open while any key is down, or held by a sustain pedal. */
#ifndef BACKLINE_KEY_GATE_H
#define BACKLINE_KEY_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/midi.h"

/* All zero is closed. */
typedef struct bl_key_gate {
    uint64_t keys[16][2]; /* that are down; a bit a key, by channel */
    uint16_t pedals;      /* that are down; a bit a channel */
    uint16_t held;        /* channels whose pedal holds a key that was let go */
} bl_key_gate;

/* Whether the gate is open. [render] */
static inline bool bl_key_gate_is_open(const bl_key_gate *gate) BL_NONBLOCKING {
    uint64_t keys = gate->held;
    for (uint32_t channel = 0; channel < 16; channel += 1) {
        keys |= gate->keys[channel][0] | gate->keys[channel][1];
    }
    return keys != 0;
}

/* Applies a whole channel message. [render] */
static inline void bl_key_gate_receive(bl_key_gate *gate,
                                       const bl_midi_event *message) BL_NONBLOCKING {
    uint32_t channel = message->bytes[0] & 0x0F;
    uint64_t *keys = &gate->keys[channel][message->bytes[1] >> 6 & 1];
    uint64_t key = (uint64_t)1 << (message->bytes[1] & 63);
    uint16_t bit = (uint16_t)(1u << channel);
    if (bl_midi_is_note_on(message)) {
        *keys |= key;
    } else if (bl_midi_is_note_off(message)) {
        bool was_down = (*keys & key) != 0;
        *keys &= ~key;
        gate->held |= was_down ? gate->pedals & bit : 0;
    } else if (bl_midi_is_all_off(message)) {
        gate->keys[channel][0] = gate->keys[channel][1] = 0;
        gate->held &= (uint16_t)~bit;
    } else if ((message->bytes[0] & 0xF0) == BL_CONTROLLER) {
        uint8_t controller = message->bytes[1];
        if (controller == BL_SUSTAIN_PEDAL && message->bytes[2] >= 64) {
            gate->pedals |= bit;
        } else if (controller == BL_SUSTAIN_PEDAL || controller == BL_RESET_ALL_CONTROLLERS) {
            gate->pedals &= (uint16_t)~bit;
            gate->held &= (uint16_t)~bit;
        }
    }
}

#endif
