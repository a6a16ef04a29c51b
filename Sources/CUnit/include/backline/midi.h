/* Whole MIDI messages, and what is none. */
#ifndef BACKLINE_MIDI_H
#define BACKLINE_MIDI_H

#include <stdbool.h>
#include <stdint.h>

#include "attributes.h"
#include "event.h"

/* Bytes that a status byte asks for, itself among them; 0 for system exclusive, which has any
   number, and for what begins no message (MIDI 1.0 Detailed Specification, tables I and II). [any]
 */
static inline uint32_t bl_midi_message_length(uint8_t status) BL_NONBLOCKING {
    if (status < 0xF0) {
        bool has_one_data_byte = (status & 0xE0) == 0xC0;
        return status < 0x80 ? 0 : has_one_data_byte ? 2 : 3;
    }
    switch (status) {
    case 0xF2:
        return 3;
    case 0xF1:
    case 0xF3:
        return 2;
    case 0xF6:
    case 0xF8:
    case 0xFA:
    case 0xFB:
    case 0xFC:
    case 0xFE:
    case 0xFF:
        return 1;
    default:
        return 0;
    }
}

/* Is it one message and all of it: a status byte and its data, or system exclusive from 0xF0 to
   0xF7? [any] */
static inline bool bl_midi_is_whole_message(const uint8_t *bytes, uint32_t length) BL_NONBLOCKING {
    if (length == 0) {
        return false;
    }
    bool is_exclusive = bytes[0] == 0xF0;
    if (is_exclusive ? length < 2 || bytes[length - 1] != 0xF7
                     : bl_midi_message_length(bytes[0]) != length) {
        return false;
    }
    for (uint32_t index = 1; index < length - is_exclusive; index += 1) {
        if (bytes[index] >= 0x80) {
            return false;
        }
    }
    return true;
}

/* Is the event a whole message of one to three bytes? [any] */
static inline bool bl_midi_event_is_whole(const bl_midi_event *event) BL_NONBLOCKING {
    return event->length == bl_midi_message_length(event->bytes[0]) &&
           bl_midi_is_whole_message(event->bytes, event->length);
}

#endif
