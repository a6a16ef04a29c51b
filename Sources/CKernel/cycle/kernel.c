/* The kernel: its creation, its commands, and the sequence of a cycle. */

#include <stdlib.h>
#include <string.h>

#include "cycle/denormals.h"
#include "cycle/kernel_state.h"
#include "telemetry/clock.h"

/* The most commands executed in one cycle; further ones wait for the next. */
#define MOST_COMMANDS_AT_ONCE 1024
#define DEFAULT_EVENT_CAPACITY 8192
#define DEFAULT_RING_CAPACITY 4096
#define DEFAULT_SYSTEM_EXCLUSIVE_CAPACITY 16

static uint32_t or_default(uint32_t value, uint32_t otherwise) {
    return value > 0 ? value : otherwise;
}

bl_kernel *bl_kernel_create(const bl_kernel_configuration *configuration) {
    bl_kernel *kernel = aligned_alloc(64, (sizeof(bl_kernel) + 63) / 64 * 64);
    if (kernel == NULL) {
        return NULL;
    }
    memset(kernel, 0, sizeof *kernel);
    bl_arena *arena = &kernel->arena;
    bl_event_source_allocate(
        &kernel->events, arena, or_default(configuration->event_capacity, DEFAULT_EVENT_CAPACITY),
        or_default(configuration->system_exclusive_capacity, DEFAULT_SYSTEM_EXCLUSIVE_CAPACITY));
    bl_ring_allocate(&kernel->commands, arena,
                     or_default(configuration->command_capacity, DEFAULT_RING_CAPACITY),
                     sizeof(bl_command));
    bl_ring_allocate(&kernel->reports, arena,
                     or_default(configuration->report_capacity, DEFAULT_RING_CAPACITY),
                     sizeof(bl_report));
    if (arena->failed) {
        bl_kernel_destroy(kernel);
        return NULL;
    }
    kernel->events.sample_rate = configuration->sample_rate;
    kernel->events.ramp_duration = bl_ramp_frames(configuration->sample_rate);
    kernel->events.observer = bl_kernel_event_observer(kernel);
    kernel->nanoseconds_per_tick = bl_clock_nanoseconds_per_tick();
    return kernel;
}

void bl_kernel_destroy(bl_kernel *kernel) {
    if (kernel == NULL) {
        return;
    }
    bl_command command;
    while (kernel->commands.storage != NULL && bl_ring_pop(&kernel->commands, &command)) {
        if (command.type == BL_COMMAND_SET_GRAPH) {
            bl_graph_destroy(command.graph);
        }
    }
    bl_report report;
    while (kernel->reports.storage != NULL && bl_ring_pop(&kernel->reports, &report)) {
        if (report.type == BL_REPORT_GRAPH_RETIRED) {
            bl_graph_destroy(report.graph);
        }
    }
    while (kernel->retired != NULL) {
        bl_graph *next = kernel->retired->next_retired;
        bl_graph_destroy(kernel->retired);
        kernel->retired = next;
    }
    bl_graph_destroy(kernel->graph);
    bl_arena_free(&kernel->arena);
    free(kernel);
}

void bl_kernel_set_helpers(bl_kernel *kernel, const bl_helpers *helpers) {
    kernel->helpers = *helpers;
}

bool bl_kernel_receive(bl_kernel *kernel, bl_report *report) {
    return bl_ring_pop(&kernel->reports, report);
}

/* Executes up to `most` of the waiting commands. If even the reserve is full, the others wait for
   the next cycle: events in the reserve are due in this one. */
static void *start_cycle(bl_kernel *kernel, uint32_t most) BL_NONBLOCKING {
    bl_command command;
    for (uint32_t done = 0; done < most && kernel->events.schedule.free_count > 0; done += 1) {
        if (!bl_ring_pop(&kernel->commands, &command)) {
            break;
        }
        bl_kernel_execute(kernel, &command);
    }
    bl_kernel_report_pending(kernel);
    return kernel->graph != NULL ? kernel->graph->context : NULL;
}

void *bl_kernel_begin_cycle(bl_kernel *kernel) BL_NONBLOCKING {
    return start_cycle(kernel, MOST_COMMANDS_AT_ONCE);
}

void *bl_kernel_begin_cycle_offline(bl_kernel *kernel) BL_NONBLOCKING {
    return start_cycle(kernel, kernel->commands.mask + 1);
}

/* Publishes that the commands before this cycle have taken effect, unless events are delayed. */
static void publish_done(bl_kernel *kernel) BL_NONBLOCKING {
    const bl_scheduled_event *first = bl_schedule_first(&kernel->events.schedule);
    if (first == NULL || first->event.sample_time >= kernel->events.sample_time) {
        uint32_t read = atomic_load_explicit(&kernel->commands.read, memory_order_relaxed);
        atomic_store_explicit(&kernel->done, read, memory_order_release);
    }
}

static void count_cycle(bl_kernel *kernel, uint32_t frames, uint64_t ticks) BL_NONBLOCKING {
    kernel->longest_cycle_ticks =
        ticks > kernel->longest_cycle_ticks ? ticks : kernel->longest_cycle_ticks;
    kernel->cycle_ticks += ticks;
    kernel->cycle_count += 1;
    kernel->cycle_frames += frames;
}

/* Collects the faults that the graph's threads have found. */
static void collect_faults(bl_kernel *kernel) BL_NONBLOCKING {
    for (uint32_t index = 0; index < kernel->graph->worker_count; index += 1) {
        bl_worker *worker = &kernel->graph->workers[index];
        kernel->has_faults |= worker->has_faults;
        kernel->events.lost += worker->events_lost;
        worker->has_faults = false;
        worker->events_lost = 0;
    }
}

void bl_kernel_render(bl_kernel *kernel, const bl_cycle *cycle) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    if (graph == NULL) {
        publish_done(kernel);
        return;
    }
    uint64_t start = bl_clock_ticks();
    graph->cycle = kernel->events.stretch;
    bl_floating_point_mode mode = bl_flush_denormals();
    bl_incoming incoming = {.next = cycle->midi,
                            .end = cycle->midi + cycle->midi_count,
                            .event = cycle->events,
                            .start = kernel->events.sample_time};
    for (uint32_t offset = 0; offset < cycle->frames;) {
        uint32_t left = cycle->frames - offset;
        uint32_t frames = left < graph->maximum_frames ? left : graph->maximum_frames;
        frames = bl_fence_start_stretch(kernel, frames);
        bl_kernel_render_stretch(kernel, cycle, offset, frames, &incoming);
        offset += frames;
    }
    bl_restore_floating_point(mode);
    publish_done(kernel);
    uint64_t ticks = bl_clock_ticks() - start;
    collect_faults(kernel);
    bl_kernel_keep_slowest(kernel, ticks, cycle->frames);
    count_cycle(kernel, cycle->frames, ticks);
    bl_kernel_report_pending(kernel);
    bl_kernel_publish(kernel, cycle->frames);
}

void bl_kernel_end_notes(bl_kernel *kernel, uint32_t port) BL_NONBLOCKING {
    if (kernel->graph != NULL) {
        bl_midi_release_input(&kernel->events, port);
    }
}

void bl_kernel_skip(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING {
    if (kernel->recorder != NULL) {
        bl_recorder_skip(kernel->recorder, frames);
    }
}

int64_t bl_kernel_sample_time(const bl_kernel *kernel) BL_NONBLOCKING {
    return kernel->events.sample_time;
}

void bl_kernel_set_sample_time(bl_kernel *kernel, int64_t sample_time) BL_NONBLOCKING {
    bl_event_source_set_time(&kernel->events, sample_time);
}

uint32_t bl_kernel_commands_waiting(const bl_kernel *kernel) {
    return bl_ring_count(&kernel->commands);
}

uint32_t bl_kernel_commands_sent(const bl_kernel *kernel) BL_NONBLOCKING {
    return atomic_load_explicit(&kernel->commands.written, memory_order_relaxed);
}

bool bl_kernel_has_done(const bl_kernel *kernel, uint32_t sent) BL_NONBLOCKING {
    uint32_t ahead = sent - atomic_load_explicit(&kernel->done, memory_order_acquire);
    return ahead == 0 || ahead > kernel->commands.mask + 1;
}

uint32_t bl_kernel_reports_waiting(const bl_kernel *kernel) {
    return bl_ring_count(&kernel->reports);
}
