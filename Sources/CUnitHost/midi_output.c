#include <string.h>

#include "unit_host_state.h"

/* Is it one whole message? */
static bool is_message(uint32_t length, const uint8_t *bytes) BL_NONBLOCKING {
    if (length == 0 || bytes[0] < 0x80) {
        return false;
    }
    bool is_system_exclusive = bytes[0] == 0xF0;
    uint32_t last = is_system_exclusive ? length - 1 : length;
    for (uint32_t index = 1; index < last; index += 1) {
        if (bytes[index] > 0x7F) {
            return false;
        }
    }
    if (is_system_exclusive) {
        return length >= 2 && bytes[length - 1] == 0xF7;
    }
    if (bytes[0] < 0xF0) {
        uint8_t kind = bytes[0] & 0xF0;
        return length == (kind == 0xC0 || kind == 0xD0 ? 2u : 3u);
    }
    if (bytes[0] == 0xF1 || bytes[0] == 0xF3) {
        return length == 2;
    }
    return length == (bytes[0] == 0xF2 ? 3u : 1u);
}

bl_status bl_host_send_midi(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                            const uint8_t *bytes) BL_NONBLOCKING {
    bl_unit_host *host = (bl_unit_host *)context;
    if (cable >= host->cable_count) {
        host->faults |= BL_FAULT_MIDI_CABLE;
    }
    if (sample_time < host->sample_time || sample_time >= host->sample_time + host->frames ||
        sample_time < host->last_sent_time) {
        host->faults |= BL_FAULT_MIDI_TIME;
    }
    if (!is_message(length, bytes)) {
        host->faults |= BL_FAULT_MIDI_MESSAGE;
    }
    if (host->sent_count == BL_HOST_MOST_MESSAGES ||
        length > BL_HOST_MOST_MIDI_BYTES - host->sent_byte_count) {
        host->faults |= BL_FAULT_MIDI_FLOOD;
        return BL_ERROR_OUT_OF_MEMORY;
    }
    memcpy(host->sent_bytes + host->sent_byte_count, bytes, length);
    host->sent[host->sent_count] =
        (bl_sent_midi){sample_time, length, host->sent_byte_count, cable};
    host->sent_count += 1;
    host->sent_byte_count += length;
    host->last_sent_time = sample_time;
    return BL_OK;
}
