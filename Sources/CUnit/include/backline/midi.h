/* MIDI 1.0: status bytes, and the length of messages. */
#ifndef BACKLINE_MIDI_H
#define BACKLINE_MIDI_H

#include <stdbool.h>
#include <stdint.h>

#include "attributes.h"
#include "event.h"

/* Status bytes of channel messages, channel 0, and of system exclusive. */
enum {
    BL_NOTE_OFF = 0x80,
    BL_NOTE_ON = 0x90,
    BL_NOTE_PRESSURE = 0xA0,
    BL_CONTROLLER = 0xB0,
    BL_PROGRAM = 0xC0,
    BL_CHANNEL_PRESSURE = 0xD0,
    BL_PITCH_BEND = 0xE0,
    BL_SYSTEM_EXCLUSIVE = 0xF0
};

/* Controllers (MIDI 1.0 Detailed Specification, table III). */
enum {
    BL_BANK = 0,
    BL_MODULATION_WHEEL = 1,
    BL_DATA_ENTRY = 6,
    BL_VOLUME = 7,
    BL_PAN = 10,
    BL_EXPRESSION = 11,
    BL_DATA_ENTRY_FINE = 38,
    BL_SUSTAIN_PEDAL = 64,
    BL_SOSTENUTO_PEDAL = 66,
    BL_SOFT_PEDAL = 67,
    BL_TIMBRE = 74,
    BL_UNREGISTERED_LOW = 98,
    BL_UNREGISTERED_HIGH = 99,
    BL_REGISTERED_LOW = 100,
    BL_REGISTERED_HIGH = 101,
    BL_ALL_SOUND_OFF = 120,
    BL_RESET_ALL_CONTROLLERS = 121,
    BL_ALL_NOTES_OFF = 123
};

/* Bytes of a message with that status byte; 0 for system exclusive, which has any length, and for a
   byte that starts no message (MIDI 1.0 Detailed Specification, tables I and II). [any] */
static inline uint32_t bl_midi_message_length(uint8_t status) BL_NONBLOCKING {
    if (status < BL_SYSTEM_EXCLUSIVE) {
        bool has_one_data_byte = (status & 0xE0) == 0xC0;
        return status < 0x80 ? 0 : has_one_data_byte ? 2 : 3;
    }
    switch (status) {
    case 0xF2: return 3;
    case 0xF1:
    case 0xF3: return 2;
    case 0xF6:
    case 0xF8:
    case 0xFA:
    case 0xFB:
    case 0xFC:
    case 0xFE:
    case 0xFF: return 1;
    default: return 0;
    }
}

/* Whether the bytes are one complete message: a status byte and its data, or system exclusive from
   0xF0 to 0xF7. [any] */
static inline bool bl_midi_is_whole_message(const uint8_t *bytes, uint32_t length) BL_NONBLOCKING {
    if (length == 0) {
        return false;
    }
    bool is_exclusive = bytes[0] == BL_SYSTEM_EXCLUSIVE;
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

/* Whether the event is a complete message of one to three bytes. [any] */
static inline bool bl_midi_event_is_whole(const bl_midi_event *event) BL_NONBLOCKING {
    return event->length == bl_midi_message_length(event->bytes[0]) &&
           bl_midi_is_whole_message(event->bytes, event->length);
}

/* Whether the message starts a note; a note-on with velocity 0 ends one. [any] */
static inline bool bl_midi_is_note_on(const bl_midi_event *message) BL_NONBLOCKING {
    return (message->bytes[0] & 0xF0) == BL_NOTE_ON && message->bytes[2] > 0;
}

/* Whether the message ends a note. [any] */
static inline bool bl_midi_is_note_off(const bl_midi_event *message) BL_NONBLOCKING {
    uint8_t status = message->bytes[0] & 0xF0;
    return status == BL_NOTE_OFF || (status == BL_NOTE_ON && message->bytes[2] == 0);
}

/* Whether the message ends every note of its channel; the mode messages above 123 imply it. [any]
 */
static inline bool bl_midi_is_all_off(const bl_midi_event *message) BL_NONBLOCKING {
    return (message->bytes[0] & 0xF0) == BL_CONTROLLER &&
           (message->bytes[1] == BL_ALL_SOUND_OFF || message->bytes[1] >= BL_ALL_NOTES_OFF);
}

/* The pitch wheel, -1 to 1: both ends are reached, with 8191 steps above the middle and 8192 below.
   [any] */
static inline float bl_midi_bend(const bl_midi_event *message) BL_NONBLOCKING {
    int32_t value = (message->bytes[2] << 7 | message->bytes[1]) - 8192;
    return (float)value / (value > 0 ? 8191.0f : 8192.0f);
}

/* Whether controller 121 resets another, and to which value, 0 to 127 (MIDI Manufacturers
   Association, RP-015). [any] */
static inline bool bl_midi_is_reset(uint32_t controller, uint8_t *value) BL_NONBLOCKING {
    *value = controller == BL_EXPRESSION ? 127 : 0;
    return controller == BL_MODULATION_WHEEL || controller == BL_EXPRESSION ||
           (controller >= BL_SUSTAIN_PEDAL && controller <= BL_SOFT_PEDAL);
}

#endif
