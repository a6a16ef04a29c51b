#include <string.h>

#include "unit_host_state.h"

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
    if (!bl_midi_is_whole_message(bytes, length)) {
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
