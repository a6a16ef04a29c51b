/* From the bytes of a MIDI message to the event that units see. */

#include <string.h>

#include "cycle/kernel_state.h"

bool bl_midi_read_message(const bl_midi_message *message, bl_event *event) BL_NONBLOCKING {
    const uint8_t *data = message->data;
    if (!bl_midi_is_whole_message(data, message->length)) {
        return false;
    }
    if (data[0] == 0xf0) {
        event->type = BL_EVENT_SYSTEM_EXCLUSIVE;
        event->system_exclusive = (bl_system_exclusive_event){0, message->length, data};
        return true;
    }
    event->type = BL_EVENT_MIDI;
    event->midi = (bl_midi_event){0, (uint8_t)message->length, {0}};
    memcpy(event->midi.bytes, data, message->length);
    return true;
}
