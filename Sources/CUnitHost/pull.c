#include <string.h>

#include "unit_host_state.h"

/* Does the unit offer each pointer once, and is none of them where it must not read and write at a
   time? Else the host has to answer with its own. */
static bool can_be_filled(const bl_unit_host *host, const bl_buffers *input) BL_NONBLOCKING {
    bool in_place = (host->descriptor->flags & BL_UNIT_CAN_PROCESS_IN_PLACE) != 0;
    if (host->input_bus_count != 1) {
        return false;
    }
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        for (uint32_t other = 0; other < channel; other += 1) {
            if (input->channels[other] == input->channels[channel]) {
                return false;
            }
        }
        for (uint32_t other = 0; other < host->output_pointer_count; other += 1) {
            bool is_output = input->channels[channel] == host->output_pointers[other];
            if (is_output && (!in_place || other != channel)) {
                return false;
            }
        }
    }
    return true;
}

bl_status bl_host_pull(void *context, uint32_t flags, const bl_timestamp *timestamp,
                       uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING {
    (void)flags;
    bl_unit_host *host = (bl_unit_host *)context;
    if (bus >= host->input_bus_count || frames != host->frames ||
        timestamp->sample_time != host->sample_time ||
        input->channel_count != host->input_channel_counts[bus]) {
        host->faults |= BL_FAULT_WRONG_PULL;
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    uint32_t first = 0;
    for (uint32_t before = 0; before < bus; before += 1) {
        first += host->input_channel_counts[before];
    }
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        if (input->channels[channel] == NULL) {
            host->faults |= BL_FAULT_NULL_INPUT_OFFERED;
            return BL_ERROR_NO_SUCH_ELEMENT;
        }
    }
    bool fills = host->job->input_memory == BL_INPUT_FILLED && can_be_filled(host, input);
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        float *own = host->inputs[first + channel].first;
        host->is_filled[first + channel] = fills;
        if (fills) {
            memcpy(input->channels[channel], own, frames * sizeof(float));
        } else {
            input->channels[channel] = own;
        }
    }
    bool is_fed = host->job->inputs != NULL && host->job->inputs[first] != NULL;
    return is_fed ? BL_OK : BL_ERROR_NO_CONNECTION;
}
