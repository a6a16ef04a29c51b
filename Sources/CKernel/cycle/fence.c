/* Closes and opens outputs. */
#include "cycle/fence.h"

#include <math.h>

#include "cycle/crossfade.h"
#include "cycle/kernel_state.h"

/* The times, seconds. */
#define LEAST_TIME 0.01  /* least duration of a sound above the ceiling */
#define LONGEST_GAP 0.01 /* longest time without a sample above the ceiling */
#define FADE_TIME 0.004
#define CLOSED_TIME 1
#define LISTENING_TIME 0.05

void bl_graph_lower_fence(bl_graph *graph, const bl_graph_description *description) {
    bl_fence *fence = &graph->fence;
    fence->outputs =
        bl_arena_allocate(&graph->arena, graph->output_count + 1, sizeof *fence->outputs);
    fence->input_peaks =
        bl_arena_allocate(&graph->arena, graph->input_channel_count + 1, sizeof(float));
    for (uint32_t port = 0; !graph->arena.failed && port < graph->output_count; port += 1) {
        fence->outputs[port].ceiling =
            description->output_ceilings != NULL ? description->output_ceilings[port] : INFINITY;
        fence->outputs[port].last_loud = INT64_MIN / 2;
    }
}

/* Adds the peaks that the meters have kept from before. */
static void recall_peaks(const bl_graph *graph) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < graph->input_channel_count; channel += 1) {
        graph->fence.input_peaks[channel] = bl_meter_peak(&graph->input_meters[channel]);
    }
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        const bl_lowered_node *lowered = &graph->nodes[place];
        for (uint32_t bus = 0; bus < lowered->node->output_count; bus += 1) {
            bl_lowered_output *output = &lowered->outputs[bus];
            output->peak = 0;
            for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
                float peak = bl_meter_peak(&lowered->node->meters[output->first_meter + channel]);
                output->peak = fmaxf(output->peak, peak);
            }
        }
    }
}

void bl_fence_continue(bl_graph *graph, const bl_graph *old) BL_NONBLOCKING {
    bl_fence *fence = &graph->fence;
    fence->listens = old->fence.listens;
    fence->listens_from = old->fence.listens_from;
    fence->judges_at = old->fence.judges_at;
    for (uint32_t port = 0; port < graph->output_count && port < old->output_count; port += 1) {
        float ceiling = fence->outputs[port].ceiling;
        fence->outputs[port] = old->fence.outputs[port];
        fence->outputs[port].ceiling = ceiling;
    }
    if (fence->listens) {
        recall_peaks(graph);
    }
}

bool bl_fence_is_open(const bl_fence *fence, uint32_t port) BL_NONBLOCKING {
    return !fence->outputs[port].is_closed && fence->outputs[port].faded == 0;
}

bool bl_fence_is_reached(const bl_graph *graph, uint32_t port, uint32_t channel) BL_NONBLOCKING {
    bool is_reached = false;
    for (uint32_t index = 0; index < graph->outputs[port].channel_count; index += 1) {
        float peak = bl_meter_peak(&graph->output_meters[channel + index]);
        is_reached = is_reached || peak > graph->fence.outputs[port].ceiling;
    }
    return is_reached;
}

static uint32_t frames_in(const bl_kernel *kernel, double seconds) BL_NONBLOCKING {
    return (uint32_t)(kernel->events.sample_rate * seconds);
}

/* Fades the sound from frame `first` up to but excluding `end`. */
static void fade(const bl_kernel *kernel, bl_fenced_output *output, const bl_buffers *sound,
                 uint32_t first, uint32_t end) BL_NONBLOCKING {
    uint32_t length = frames_in(kernel, FADE_TIME), frames = end - first;
    output->faded = output->faded < length ? output->faded : length;
    for (uint32_t channel = 0; channel < sound->channel_count; channel += 1) {
        float *samples = sound->channels[channel] + first;
        bl_crossfade(samples, samples, NULL, output->faded, length, output->is_closed, frames);
    }
    output->faded = bl_fade_move(output->faded, length, output->is_closed, frames);
}

/* Starts to listen for the source that made an output loud. */
static void begin_listening(bl_kernel *kernel, int64_t time) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    bl_fence *fence = &graph->fence;
    if (fence->listens) {
        return;
    }
    fence->listens = true;
    fence->listens_from = time + graph->maximum_frames;
    fence->judges_at = fence->listens_from + frames_in(kernel, LISTENING_TIME);
    recall_peaks(graph);
}

static void close_output(bl_kernel *kernel, bl_fenced_output *output, int64_t time) BL_NONBLOCKING {
    output->is_closed = true;
    output->is_judged = false;
    output->closed_at = time;
    begin_listening(kernel, time);
}

static float magnitude_at(const bl_buffers *sound, uint32_t frame) BL_NONBLOCKING {
    float most = 0;
    for (uint32_t channel = 0; channel < sound->channel_count; channel += 1) {
        most = fmaxf(most, fabsf(sound->channels[channel][frame]));
    }
    return most;
}

void bl_fence_follow(bl_kernel *kernel, uint32_t port, const bl_buffers *sound,
                     uint32_t frames) BL_NONBLOCKING {
    bl_fenced_output *output = &kernel->graph->fence.outputs[port];
    uint32_t least = frames_in(kernel, LEAST_TIME), gap = frames_in(kernel, LONGEST_GAP);
    uint32_t closed = frames_in(kernel, CLOSED_TIME), done = 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        int64_t time = kernel->events.sample_time + frame;
        bool is_over = magnitude_at(sound, frame) > output->ceiling;
        if (is_over) {
            output->loud_since = time - output->last_loud > gap ? time : output->loud_since;
            output->last_loud = time;
        }
        bool is_too_loud =
            time - output->last_loud <= gap && output->last_loud - output->loud_since >= least;
        bool closes = !output->is_closed && is_over && is_too_loud;
        bool is_due = output->is_closed && time - output->closed_at >= closed;
        if (closes || is_due) {
            fade(kernel, output, sound, done, frame);
            done = frame;
            output->is_closed = false;
        }
        if (closes || (is_due && is_too_loud)) {
            close_output(kernel, output, time);
        }
    }
    fade(kernel, output, sound, done, frames);
}
