#include "unit_host.h"

#include "unit_host_state.h"

static uint32_t sum(const uint32_t *counts, uint32_t count) {
    uint32_t total = 0;
    for (uint32_t index = 0; index < count; index += 1) {
        total += counts[index];
    }
    return total;
}

static bl_host_channel *make_channels(bl_arena *arena, uint32_t count, uint32_t frames) {
    bl_host_channel *channels = bl_arena_allocate(arena, count, sizeof(bl_host_channel));
    for (uint32_t index = 0; channels != NULL && index < count; index += 1) {
        channels[index].memory =
            bl_arena_allocate(arena, (size_t)frames + 2 * BL_HOST_GUARD + 1, sizeof(float));
    }
    return channels;
}

bl_unit_host *bl_unit_host_create(const bl_unit_descriptor *descriptor, bl_unit *unit,
                                  const bl_render_configuration *configuration) {
    bl_unit_host *host = calloc(1, sizeof(bl_unit_host));
    if (host == NULL) {
        return NULL;
    }
    bl_arena *arena = &host->arena;
    bool sends_midi = (descriptor->flags & BL_UNIT_MIDI_OUTPUT) != 0;
    host->descriptor = descriptor;
    host->unit = unit;
    host->maximum_frames = configuration->maximum_frames;
    host->input_bus_count = configuration->input_bus_count;
    host->output_bus_count = configuration->output_bus_count;
    host->input_channel_counts = bl_arena_copy(arena, configuration->input_channel_counts,
                                               host->input_bus_count, sizeof(uint32_t));
    host->output_channel_counts = bl_arena_copy(arena, configuration->output_channel_counts,
                                                host->output_bus_count, sizeof(uint32_t));
    host->cable_count = sends_midi ? bl_midi_output_count(descriptor) : 0;
    host->input_channel_total = sum(configuration->input_channel_counts, host->input_bus_count);
    host->output_channel_total = sum(configuration->output_channel_counts, host->output_bus_count);
    host->inputs = make_channels(arena, host->input_channel_total, host->maximum_frames);
    host->outputs = make_channels(arena, host->output_channel_total, host->maximum_frames);
    host->offered = bl_arena_allocate(arena, host->input_bus_count, sizeof *host->offered);
    host->offered_pointers = bl_arena_allocate(arena, host->input_channel_total, sizeof(float *));
    host->output_pointers = bl_arena_allocate(arena, host->output_channel_total, sizeof(float *));
    host->is_filled = bl_arena_allocate(arena, host->input_channel_total, sizeof(bool));
    host->sent = bl_arena_allocate(arena, BL_HOST_MOST_MESSAGES, sizeof(bl_sent_midi));
    host->sent_bytes = bl_arena_allocate(arena, 1, BL_HOST_MOST_MIDI_BYTES);
    if (arena->failed) {
        bl_unit_host_destroy(host);
        return NULL;
    }
    return host;
}

void bl_unit_host_destroy(bl_unit_host *host) {
    bl_arena_free(&host->arena);
    free(host);
}

int64_t bl_unit_host_sample_time(const bl_unit_host *host) { return host->sample_time; }
uint32_t bl_unit_host_sent_count(const bl_unit_host *host) { return host->sent_count; }
const bl_sent_midi *bl_unit_host_sent(const bl_unit_host *host) { return host->sent; }
const uint8_t *bl_unit_host_sent_bytes(const bl_unit_host *host) { return host->sent_bytes; }
