/* Reports the latencies of the ports to JACK. */

#include "jack_client_private.h"

/* Widens `range` by `added`; an empty range is maximum < minimum. */
static void widen(jack_latency_range_t *range, jack_latency_range_t added) {
    range->min = added.min < range->min ? added.min : range->min;
    range->max = added.max > range->max ? added.max : range->max;
}

/* Returns the latencies of the connected ports, each with its `extra` (or 0) added. */
static jack_latency_range_t combined(const bl_jack_library *library, jack_port_t *const *ports,
                                     const uint32_t *extra, uint32_t count,
                                     jack_latency_callback_mode_t mode) {
    jack_latency_range_t range = {UINT32_MAX, 0};
    bool any = false;
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t index = 0; index < count; index += 1) {
        uint32_t own = extra != NULL ? extra[index] : 0;
        least = own < least ? own : least;
        most = own > most ? own : most;
        if (library->jack_port_connected(ports[index]) > 0) {
            jack_latency_range_t one;
            library->jack_port_get_latency_range(ports[index], mode, &one);
            widen(&range, (jack_latency_range_t){one.min + own, one.max + own});
            any = true;
        }
    }
    if (!any) {
        range = (jack_latency_range_t){count > 0 ? least : 0, most};
    }
    return range;
}

/* Updates the time since the sound at an output entered the first port of the chain. */
static void update_capture(const bl_jack_library *library, const bl_jack_latencies *latencies) {
    jack_latency_range_t inputs =
        combined(library, latencies->inputs, NULL, latencies->input_count, JackCaptureLatency);
    for (uint32_t index = 0; index < latencies->output_count; index += 1) {
        uint32_t own = latencies->output_latencies[index];
        jack_latency_range_t range = {inputs.min + own, inputs.max + own};
        library->jack_port_set_latency_range(latencies->outputs[index], JackCaptureLatency, &range);
    }
}

/* Updates the time until the sound at an input leaves the last port of the chain. */
static void update_playback(const bl_jack_library *library, const bl_jack_latencies *latencies) {
    jack_latency_range_t range = combined(library, latencies->outputs, latencies->output_latencies,
                                          latencies->output_count, JackPlaybackLatency);
    for (uint32_t index = 0; index < latencies->input_count; index += 1) {
        library->jack_port_set_latency_range(latencies->inputs[index], JackPlaybackLatency, &range);
    }
}

void bl_jack_update_latency(jack_latency_callback_mode_t mode, void *context) {
    bl_jack_client *client = context;
    pthread_mutex_lock(&client->latencies.lock);
    if (mode == JackCaptureLatency) {
        update_capture(client->library, &client->latencies);
    } else {
        update_playback(client->library, &client->latencies);
    }
    pthread_mutex_unlock(&client->latencies.lock);
}

bool bl_jack_client_set_latencies(bl_jack_client *client, jack_port_t *const *inputs,
                                  uint32_t input_count, jack_port_t *const *outputs,
                                  const uint32_t *output_latencies, uint32_t output_count) {
    bl_arena arena = {0};
    jack_port_t **new_inputs =
        bl_arena_copy(&arena, (const void *)inputs, input_count, sizeof *inputs);
    jack_port_t **new_outputs =
        bl_arena_copy(&arena, (const void *)outputs, output_count, sizeof *outputs);
    uint32_t *new_latencies =
        bl_arena_copy(&arena, output_latencies, output_count, sizeof *output_latencies);
    if (arena.failed) {
        bl_arena_free(&arena);
        return false;
    }
    bl_jack_latencies *latencies = &client->latencies;
    pthread_mutex_lock(&latencies->lock);
    bl_arena_free(&latencies->arena);
    latencies->arena = arena;
    latencies->input_count = input_count;
    latencies->inputs = new_inputs;
    latencies->output_count = output_count;
    latencies->outputs = new_outputs;
    latencies->output_latencies = new_latencies;
    pthread_mutex_unlock(&latencies->lock);
    return true;
}
