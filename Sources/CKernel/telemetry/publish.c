/* Publishes a graph's telemetry, one unit after another. */

#include "kernel/telemetry.h"

#include <math.h>
#include <string.h>

#include "cycle/kernel_state.h"
#include "telemetry/timing.h"

/* The rate at which telemetry is published. */
#define TIMES_PER_SECOND 25
/* The most units published in one cycle. */
#define MOST_UNITS_AT_ONCE 16

void bl_meter_fold(bl_meter *meter) BL_NONBLOCKING {
    for (int lane = 0; lane < BL_METER_LANES; lane += 1) {
        meter->folded_squares += (double)meter->squares[lane];
        meter->squares[lane] = 0;
    }
    meter->folded_frames = meter->frames;
}

/* Reads and clears a meter. */
static bl_level pop_meter(bl_meter *meter) BL_NONBLOCKING {
    if (meter->frames == 0) {
        return (bl_level){0};
    }
    bl_meter_fold(meter);
    bl_level level = {.peak = bl_meter_peak(meter),
                      .mean_square = (float)(meter->folded_squares / (double)meter->frames)};
    memset(meter, 0, sizeof *meter);
    return level;
}

/* The upper end of a class, in ticks. */
static double class_end(uint32_t class) BL_NONBLOCKING {
    return (double)(((uint64_t)(class % 8) + 9) << (class / 8));
}

/* The time in ticks that at most `above` cycles exceeded. */
static double percentile(const bl_timing *timing, uint32_t above) BL_NONBLOCKING {
    uint32_t first = bl_timing_class(timing->minimum);
    uint32_t class = bl_timing_class(timing->maximum);
    uint32_t passed = timing->classes[class];
    while (class > first && passed <= above) {
        class -= 1;
        passed += timing->classes[class];
    }
    double end = class_end(class);
    return end < (double)timing->maximum ? end : (double)timing->maximum;
}

/* Reads and clears the timing. */
static void pop_timing(bl_timing *timing, double nanoseconds_per_tick,
                       bl_unit_telemetry *unit) BL_NONBLOCKING {
    if (timing->count == 0) {
        return;
    }
    uint32_t first = bl_timing_class(timing->minimum);
    uint32_t last = bl_timing_class(timing->maximum);
    size_t used = (last - first + 1) * sizeof timing->classes[0];
    unit->p50 = (float)(percentile(timing, timing->count / 2) * nanoseconds_per_tick);
    unit->p99 = (float)(percentile(timing, timing->count / 100) * nanoseconds_per_tick);
    unit->cycles = timing->count;
    unit->minimum = (float)((double)timing->minimum * nanoseconds_per_tick);
    unit->maximum = (float)((double)timing->maximum * nanoseconds_per_tick);
    unit->mean = (float)((double)timing->sum / (double)timing->count * nanoseconds_per_tick);
    /* Only classes between the minimum and the maximum have counts. */
    memset(&timing->classes[first], 0, used);
    timing->count = 0;
    timing->sum = timing->minimum = timing->maximum = 0;
}

static void publish_unit(const bl_kernel *kernel, bl_lowered_node *lowered,
                         bl_unit_telemetry *unit) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    *unit = (bl_unit_telemetry){.node = node->receiver.identifier};
    pop_timing(&node->timing, kernel->nanoseconds_per_tick, unit);
    for (uint32_t bus = 0; bus < node->output_count; bus += 1) {
        const bl_lowered_output *output = &lowered->outputs[bus];
        for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
            bl_level level = pop_meter(&node->meters[output->first_meter + channel]);
            unit->peak_of_all = fmaxf(unit->peak_of_all, level.peak);
            if (bus == 0) {
                unit->peak = fmaxf(unit->peak, level.peak);
                unit->mean_square = fmaxf(unit->mean_square, level.mean_square);
            }
        }
    }
}

static void publish_rack(bl_kernel *kernel, bl_graph *graph) BL_NONBLOCKING {
    bl_telemetry *telemetry = &graph->telemetry;
    for (uint32_t channel = 0; channel < graph->input_channel_count; channel += 1) {
        telemetry->inputs[channel] = pop_meter(&graph->input_meters[channel]);
    }
    for (uint32_t channel = 0; channel < graph->output_channel_count; channel += 1) {
        telemetry->outputs[channel] = pop_meter(&graph->output_meters[channel]);
    }
    for (uint32_t port = 0; port < graph->midi_input_count; port += 1) {
        telemetry->midi_inputs[port] = graph->midi_inputs[port];
        graph->midi_inputs[port].count = 0;
    }
    double scale = kernel->nanoseconds_per_tick;
    double mean =
        kernel->cycle_count > 0 ? (double)kernel->cycle_ticks / (double)kernel->cycle_count : 0;
    telemetry->cycle = (bl_cycle_telemetry){
        kernel->cycle_count,        kernel->cycle_frames,
        (float)(mean * scale),      (float)((double)kernel->longest_cycle_ticks * scale),
        kernel->events.sample_time, bl_kernel_threads(kernel)};
    kernel->cycle_count = 0;
    kernel->cycle_frames = 0;
    kernel->cycle_ticks = 0;
    kernel->longest_cycle_ticks = 0;
}

void bl_kernel_publish(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    uint32_t parts = graph->node_count + 1; /* the units and the rack */
    uint32_t interval = (uint32_t)(kernel->events.sample_rate / TIMES_PER_SECOND) / parts + 1;
    graph->publish_credit += frames;
    for (uint32_t done = 0; done < MOST_UNITS_AT_ONCE && graph->publish_credit >= interval &&
                            !atomic_load_explicit(&graph->is_published, memory_order_acquire);
         done += 1) {
        uint32_t place = graph->next_published;
        graph->publish_credit -= interval;
        if (place < graph->node_count) {
            publish_unit(kernel, &graph->nodes[place], &graph->telemetry.units[place]);
            graph->next_published += 1;
        } else {
            publish_rack(kernel, graph);
            graph->next_published = 0;
            atomic_store_explicit(&graph->is_published, true, memory_order_release);
        }
    }
    graph->publish_credit = graph->publish_credit < interval ? graph->publish_credit : interval;
}

void bl_graph_allocate_telemetry(bl_graph *graph) {
    bl_arena *arena = &graph->arena;
    bl_telemetry *telemetry = &graph->telemetry;
    telemetry->input_count = graph->input_channel_count;
    telemetry->output_count = graph->output_channel_count;
    telemetry->unit_count = graph->node_count;
    telemetry->midi_input_count = graph->midi_input_count;
    telemetry->inputs = bl_arena_allocate(arena, telemetry->input_count, sizeof(bl_level));
    telemetry->outputs = bl_arena_allocate(arena, telemetry->output_count, sizeof(bl_level));
    telemetry->units = bl_arena_allocate(arena, telemetry->unit_count, sizeof(bl_unit_telemetry));
    graph->midi_inputs =
        bl_arena_allocate(arena, graph->midi_input_count + 1, sizeof *graph->midi_inputs);
    telemetry->midi_inputs =
        bl_arena_allocate(arena, telemetry->midi_input_count, sizeof(bl_midi_telemetry));
}

const bl_telemetry *bl_graph_telemetry(const bl_graph *graph) {
    bool is_published = atomic_load_explicit(&graph->is_published, memory_order_acquire);
    return is_published ? &graph->telemetry : NULL;
}

void bl_graph_release_telemetry(bl_graph *graph) {
    atomic_store_explicit(&graph->is_published, false, memory_order_release);
}
