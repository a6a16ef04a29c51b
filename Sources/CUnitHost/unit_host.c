#include "unit_host.h"

#include <stdlib.h>
#include <string.h>

#include "unit_host_state.h"

static uint32_t sum(const uint32_t *counts, uint32_t count) {
    uint32_t total = 0;
    for (uint32_t index = 0; index < count; index += 1) {
        total += counts[index];
    }
    return total;
}

static uint32_t *copy(const uint32_t *counts, uint32_t count) {
    uint32_t *copied = calloc(count + 1, sizeof(uint32_t));
    if (copied != NULL && count > 0) {
        memcpy(copied, counts, count * sizeof(uint32_t));
    }
    return copied;
}

static bl_host_channel *make_channels(uint32_t count, uint32_t frames) {
    bl_host_channel *channels = calloc(count + 1, sizeof(bl_host_channel));
    size_t bytes = ((size_t)frames + 2 * BL_HOST_GUARD + 1) * sizeof(float);
    for (uint32_t index = 0; channels != NULL && index < count; index += 1) {
        channels[index].memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
        if (channels[index].memory == NULL) {
            return NULL; /* leaks a little on the way out, where memory is short anyway */
        }
    }
    return channels;
}

static void free_channels(bl_host_channel *channels, uint32_t count) {
    for (uint32_t index = 0; channels != NULL && index < count; index += 1) {
        free(channels[index].memory);
    }
    free(channels);
}

static uint32_t midi_cable_count(const bl_unit_descriptor *descriptor) {
    if ((descriptor->flags & BL_UNIT_MIDI_OUTPUT) == 0) {
        return 0;
    }
    uint32_t count = 0;
    while (descriptor->midi_output_names != NULL && descriptor->midi_output_names[count] != NULL) {
        count += 1;
    }
    return count > 0 ? count : 1;
}

bl_unit_host *bl_unit_host_create(const bl_unit_descriptor *descriptor, bl_unit *unit,
                                  const bl_render_configuration *configuration) {
    bl_unit_host *host = calloc(1, sizeof(bl_unit_host));
    if (host == NULL) {
        return NULL;
    }
    host->descriptor = descriptor;
    host->unit = unit;
    host->maximum_frames = configuration->maximum_frames;
    host->input_bus_count = configuration->input_bus_count;
    host->output_bus_count = configuration->output_bus_count;
    host->input_channel_counts = copy(configuration->input_channel_counts, host->input_bus_count);
    host->output_channel_counts =
        copy(configuration->output_channel_counts, host->output_bus_count);
    host->cable_count = midi_cable_count(descriptor);
    if (host->input_channel_counts == NULL || host->output_channel_counts == NULL) {
        bl_unit_host_destroy(host);
        return NULL;
    }
    host->input_channel_total = sum(host->input_channel_counts, host->input_bus_count);
    host->output_channel_total = sum(host->output_channel_counts, host->output_bus_count);
    host->inputs = make_channels(host->input_channel_total, host->maximum_frames);
    host->outputs = make_channels(host->output_channel_total, host->maximum_frames);
    host->output_pointers = calloc(host->output_channel_total + 1, sizeof(float *));
    host->is_filled = calloc(host->input_channel_total + 1, sizeof(bool));
    host->sent = calloc(BL_HOST_MOST_MESSAGES, sizeof(bl_sent_midi));
    host->sent_bytes = calloc(1, BL_HOST_MOST_MIDI_BYTES);
    if (host->inputs == NULL || host->outputs == NULL || host->output_pointers == NULL ||
        host->is_filled == NULL || host->sent == NULL || host->sent_bytes == NULL) {
        bl_unit_host_destroy(host);
        return NULL;
    }
    return host;
}

void bl_unit_host_destroy(bl_unit_host *host) {
    free_channels(host->inputs, host->input_channel_total);
    free_channels(host->outputs, host->output_channel_total);
    free(host->input_channel_counts);
    free(host->output_channel_counts);
    free(host->output_pointers);
    free(host->is_filled);
    free(host->sent);
    free(host->sent_bytes);
    free(host);
}

int64_t bl_unit_host_sample_time(const bl_unit_host *host) { return host->sample_time; }
uint32_t bl_unit_host_sent_count(const bl_unit_host *host) { return host->sent_count; }
const bl_sent_midi *bl_unit_host_sent(const bl_unit_host *host) { return host->sent; }
const uint8_t *bl_unit_host_sent_bytes(const bl_unit_host *host) { return host->sent_bytes; }
