/* The kernel: its life, commands, and the course of a cycle. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cycle/bypass.h"
#include "cycle/care.h"
#include "cycle/denormals.h"
#include "cycle/kernel_state.h"
#include "cycle/threads.h"
#include "cycle/unit_host.h"
#include "modulation/modulated.h"
#include "telemetry/clock.h"

/* Commands executed in one cycle; the rest wait for the next. */
#define MOST_COMMANDS_AT_ONCE 1024
#define DEFAULT_EVENT_CAPACITY 8192
/* Room in the schedule for values that the control side sets; they are due at once, so it is free
   again soon. */
#define PARAMETER_RESERVE 256
/* MIDI messages in one cycle. */
#define MOST_MESSAGES_AT_ONCE 8192
#define DEFAULT_RING_CAPACITY 4096
#define DEFAULT_SYSTEM_EXCLUSIVE_CAPACITY 16
/* The time that several threads are supposed to cost a stretch, until that is measured. Nanoseconds
 */
#define USUAL_SHARING_TIME 20000
/* Beats are computed in floating point: rounding must not move a beat to the next frame. */
#define NEARLY_A_FRAME 1e-6

static void set_sample_rate(bl_kernel *kernel, double sample_rate) BL_NONBLOCKING {
    kernel->sample_rate = sample_rate;
    kernel->ramp_duration = bl_ramp_frames(sample_rate);
}

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
    uint32_t events = or_default(configuration->event_capacity, DEFAULT_EVENT_CAPACITY);
    bl_midi_memory_allocate(&kernel->midi, arena,
                            events < MOST_MESSAGES_AT_ONCE ? events : MOST_MESSAGES_AT_ONCE);
    bl_schedule_allocate(&kernel->schedule, arena, events, PARAMETER_RESERVE);
    bl_ring_allocate(&kernel->commands, arena,
                     or_default(configuration->command_capacity, DEFAULT_RING_CAPACITY),
                     sizeof(bl_command));
    bl_ring_allocate(&kernel->reports, arena,
                     or_default(configuration->report_capacity, DEFAULT_RING_CAPACITY),
                     sizeof(bl_report));
    bl_system_exclusive_allocate(
        &kernel->system_exclusive, arena,
        or_default(configuration->system_exclusive_capacity, DEFAULT_SYSTEM_EXCLUSIVE_CAPACITY));
    if (arena->failed) {
        bl_kernel_destroy(kernel);
        return NULL;
    }
    set_sample_rate(kernel, configuration->sample_rate);
    kernel->nanoseconds_per_tick = bl_clock_nanoseconds_per_tick();
    kernel->usual_sharing_ticks = (uint64_t)(USUAL_SHARING_TIME / kernel->nanoseconds_per_tick);
    kernel->sharing_ticks = kernel->usual_sharing_ticks;
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

static bool is_in_graph(const bl_scheduled_event *scheduled, void *opaque) BL_NONBLOCKING {
    bl_kernel *kernel = opaque;
    bool is_kept = scheduled->node->graph_serial == kernel->graph_serial;
    if (!is_kept) {
        bl_system_exclusive_release(&kernel->system_exclusive, &scheduled->event);
    }
    return is_kept;
}

/* Prepares a node for the graph that takes over; `lowered` is NULL if no output pulls the node. */
static void enter(const bl_kernel *kernel, bl_node *node,
                  const bl_lowered_node *lowered) BL_NONBLOCKING {
    node->graph_serial = kernel->graph_serial;
    node->is_rendered = lowered != NULL;
    node->output_latency = lowered != NULL ? lowered->latency : 0;
    node->input_latency = lowered != NULL ? lowered->latency - lowered->own_latency : 0;
    node->turn = lowered != NULL ? lowered->turn : NULL;
    if (lowered == NULL) {
        bl_node_set_bypassed(node, node->bypassed);
    }
}

/* Plays a new graph from now on; the old one is reported retired. */
static void take_over(bl_kernel *kernel, bl_graph *graph) BL_NONBLOCKING {
    bl_graph *old = kernel->graph;
    if (old != NULL) {
        old->next_retired = kernel->retired;
        kernel->retired = old;
    }
    kernel->graph = graph;
    kernel->recorder = graph != NULL ? graph->recording.recorder : kernel->recorder;
    kernel->graph_serial += 1;
    bl_kernel_forget_blame(kernel);
    if (graph != NULL) {
        graph->long_ticks = (uint64_t)(BL_TIMING_ALWAYS / kernel->nanoseconds_per_tick);
    }
    for (uint32_t place = 0; graph != NULL && place < graph->node_count; place += 1) {
        enter(kernel, graph->nodes[place].node, &graph->nodes[place]);
    }
    for (uint32_t place = 0; graph != NULL && place < graph->idle_count; place += 1) {
        enter(kernel, graph->idle_nodes[place], NULL);
    }
    bl_schedule_filter(&kernel->schedule, is_in_graph, kernel);
    bl_midi_take_over(kernel, old);
    if (graph != NULL) {
        bl_controls_continue(graph, old);
    }
    bl_modulations_continue(kernel, old);
    if (graph != NULL && old != NULL) {
        bl_fence_continue(graph, old);
    }
}

void bl_kernel_end_notes(bl_kernel *kernel, uint32_t port) BL_NONBLOCKING {
    if (kernel->graph != NULL) {
        bl_midi_release_input(kernel->graph, port);
    }
}

void bl_kernel_set_bypass(bl_kernel *kernel, bl_node *node, bool bypassed,
                          uint32_t frame) BL_NONBLOCKING {
    if (bypassed && node->is_rendered && !bl_is_bypassed_at(node, frame)) {
        bl_midi_release_received(kernel->graph, node, kernel->sample_time + frame);
    }
    if (!node->is_passed) {
        node->is_spilling = atomic_load_explicit(&node->spills, memory_order_acquire);
    }
    if (!node->is_rendered) {
        bl_node_set_bypassed(node, bypassed);
    } else if (bypassed || node->is_passed) {
        bl_switch_bypass(node, bypassed, frame);
    }
    atomic_store_explicit(&node->changed_bypass, bypassed ? BL_BYPASS_ON : BL_BYPASS_OFF,
                          memory_order_relaxed);
    bl_node_note_change(node);
}

static void execute_for_node(bl_kernel *kernel, const bl_command *command,
                             bl_node *node) BL_NONBLOCKING {
    if (command->type == BL_COMMAND_SET_BYPASS) {
        bl_parameter_event change = {BL_CONTROL_BYPASS, command->bypassed, 0, false};
        bl_kernel_report_move(kernel, node, change, kernel->sample_time);
        bl_kernel_set_bypass(kernel, node, command->bypassed, 0);
        return;
    }
    bl_event event;
    if (command->type == BL_COMMAND_SCHEDULE) {
        event = command->event;
    } else {
        event = (bl_event){.sample_time = kernel->sample_time, .type = BL_EVENT_PARAMETER_RAMP};
        event.parameter = command->parameter;
        event.parameter.ramp_duration = kernel->ramp_duration;
    }
    bl_kernel_schedule(kernel, node, event, command->type == BL_COMMAND_SET_PARAMETER, true);
}

static void execute(bl_kernel *kernel, const bl_command *command) BL_NONBLOCKING {
    if (command->type == BL_COMMAND_SET_GRAPH) {
        take_over(kernel, command->graph);
    } else if (command->type == BL_COMMAND_SET_SAMPLE_RATE) {
        set_sample_rate(kernel, command->sample_rate);
    } else if (command->type == BL_COMMAND_REPORT_MIDI) {
        kernel->reports_midi = command->reports_midi;
    } else if (command->type == BL_COMMAND_PANIC) {
        if (kernel->graph != NULL) {
            bl_midi_panic(kernel->graph, kernel->sample_time);
        }
    } else if (command->type == BL_COMMAND_CONTROL_MIDI) {
        if (kernel->graph != NULL) {
            bl_event event = {.sample_time = kernel->sample_time, .type = BL_EVENT_MIDI};
            event.midi = command->midi;
            bl_controls_apply(kernel, command->node, &event);
        }
    } else if (command->type == BL_COMMAND_REPORT_MOVES) {
        kernel->reports_moves = command->reports_moves;
        kernel->ends_moves = !command->reports_moves;
    } else {
        bl_node *node =
            kernel->graph != NULL ? bl_graph_find_node(kernel->graph, command->node) : NULL;
        if (node != NULL) {
            execute_for_node(kernel, command, node);
        } else {
            bl_kernel_count_lost(kernel,
                                 command->type == BL_COMMAND_SCHEDULE ? &command->event : NULL);
        }
    }
}

/* Executes up to `most` of the waiting commands. When even the reserve is full, the others wait for
   the next cycle: events in the reserve are due in this one. */
static void *start_cycle(bl_kernel *kernel, uint32_t most) BL_NONBLOCKING {
    bl_command command;
    for (uint32_t done = 0; done < most && kernel->schedule.free_count > 0; done += 1) {
        if (!bl_ring_pop(&kernel->commands, &command)) {
            break;
        }
        execute(kernel, &command);
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

/* Points the rack's slots into the caller's memory; silence replaces inputs with NaN or infinity.
 */
static void point_slots(bl_graph *graph, const bl_cycle *cycle, uint32_t offset,
                        uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < graph->input_channel_count; channel += 1) {
        /* The kernel never writes through an input's slot. */
        float *samples = (float *)(uintptr_t)(cycle->inputs[channel] + offset);
        bool finite = bl_measure(&graph->input_meters[channel], &(bl_buffers){1, &samples}, frames);
        graph->slots[channel] = finite ? samples : graph->silence;
    }
    for (uint32_t channel = 0; channel < graph->output_channel_count; channel += 1) {
        graph->slots[graph->input_channel_count + channel] = cycle->outputs[channel] + offset;
    }
}

/* Mixes and measures every output port; silence replaces NaN and infinity, and the fence what is
   too loud. */
static void finish_outputs(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    uint32_t first = 0;
    if (graph->fence.listens) {
        bl_fence_listen_to_inputs(graph);
    }
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        bl_lowered_input *output = &graph->outputs[port];
        bl_mix_input(&graph->workers[0], output);
        bl_buffers channels = {output->channel_count,
                               &graph->slots[graph->input_channel_count + first]};
        bool is_open = bl_fence_is_open(&graph->fence, port);
        if (!is_open) {
            bl_fence_follow(kernel, port, &channels, frames);
        }
        if (!bl_measure(&graph->output_meters[first], &channels, frames)) {
            bl_silence(&channels, frames);
        } else if (is_open && bl_fence_is_reached(graph, port, first)) {
            bl_fence_follow(kernel, port, &channels, frames);
        }
        first += output->channel_count;
    }
}

static void store_feedback(bl_graph *graph, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < graph->feedback_count; index += 1) {
        bl_lowered_source *source = graph->feedback[index];
        for (uint32_t channel = 0; channel < source->channel_count; channel += 1) {
            bl_delay_line_write(source->delay, channel, graph->slots[source->slot + channel],
                                frames);
        }
        bl_delay_line_advance(source->delay, frames);
    }
}

/* Records the channels that are in slots at the end of the stretch. */
static void record(const bl_graph *graph, uint32_t frames) BL_NONBLOCKING {
    const bl_recording_taps *recording = &graph->recording;
    for (uint32_t index = 0; index < recording->slot_count; index += 1) {
        const bl_slot_tap *tap = &recording->slots[index];
        bl_recorder_write(recording->recorder, tap->channel, graph->slots[tap->slot], frames);
    }
    bl_recorder_end_stretch(recording->recorder, frames);
}

/* Publishes that the commands before this cycle have taken effect, unless events are late. */
static void publish_done(bl_kernel *kernel) BL_NONBLOCKING {
    const bl_scheduled_event *first = bl_schedule_first(&kernel->schedule);
    if (first == NULL || first->event.sample_time >= kernel->sample_time) {
        uint32_t read = atomic_load_explicit(&kernel->commands.read, memory_order_relaxed);
        atomic_store_explicit(&kernel->done, read, memory_order_release);
    }
}

static void move_context(bl_musical_context *context, uint32_t frames,
                         double sample_rate) BL_NONBLOCKING {
    double beats_per_frame = context->tempo / (60 * sample_rate);
    double numerator = context->time_signature_numerator;
    context->beat_position += frames * beats_per_frame;
    if (numerator > 0) {
        double bars = floor((context->beat_position - context->downbeat_position) / numerator);
        context->downbeat_position += bars * numerator;
    }
}

static uint32_t frames_to_next_beat(const bl_musical_context *context,
                                    double sample_rate) BL_NONBLOCKING {
    double left = ceil(context->beat_position) - context->beat_position;
    double frames = ceil(left * 60 * sample_rate / context->tempo - NEARLY_A_FRAME);
    /* Another program's tempo may be anything. */
    return !(frames > 0) ? 0 : frames < UINT32_MAX ? (uint32_t)frames : UINT32_MAX;
}

/* Sets musical time and transport `offset` frames into the cycle; beats move only with the
   transport. */
static void update_music(bl_music *music, const bl_cycle *cycle, uint32_t offset,
                         double sample_rate) BL_NONBLOCKING {
    bool moves = cycle->transport_state != NULL &&
                 (cycle->transport_state->flags & BL_TRANSPORT_MOVING) != 0;
    if (cycle->transport_state != NULL) {
        music->transport = *cycle->transport_state;
        music->transport.sample_position += moves ? offset : 0;
        music->transport.flags &= offset > 0 ? ~(uint32_t)BL_TRANSPORT_CHANGED : UINT32_MAX;
    }
    if (cycle->musical_context != NULL) {
        music->context = *cycle->musical_context;
        move_context(&music->context, moves ? offset : 0, sample_rate);
        music->context.frames_to_next_beat = frames_to_next_beat(&music->context, sample_rate);
    }
}

/* Renders `frames` frames, at most the graph's maximum, from `offset` on; moves `place` past their
   messages. */
static void render_stretch(bl_kernel *kernel, const bl_cycle *cycle, uint32_t offset,
                           uint32_t frames, bl_message_place *place) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    graph->stretch.flags = cycle->flags;
    graph->stretch.frames = frames;
    graph->stretch.timestamp.sample_time = kernel->sample_time;
    update_music(&kernel->music, cycle, offset, kernel->sample_rate);
    kernel->music_time = kernel->sample_time;
    bl_offer_music(graph, cycle->musical_context != NULL ? &kernel->music.context : NULL,
                   cycle->transport_state != NULL ? &kernel->music.transport : NULL);
    point_slots(graph, cycle, offset, frames);
    bl_midi_start_cycle(graph, frames);
    bl_kernel_follow_lanes(kernel, cycle->flags, frames);
    bl_kernel_collect_events(kernel, cycle, offset, frames, place);
    if (kernel->recorder != NULL) {
        bl_recorder_start_stretch(kernel->recorder, frames);
    }
    bl_sample_turns(graph, frames);
    bl_kernel_render_turns(kernel);
    finish_outputs(kernel, frames);
    if (kernel->recorder != NULL) {
        record(graph, frames);
    }
    store_feedback(graph, frames);
    bl_midi_end_cycle(graph, cycle, offset);
    kernel->sample_time += frames;
    int32_t fading = (int32_t)graph->fade_frames - graph->fade_position;
    graph->fade_position += (int32_t)frames < fading ? (int32_t)frames : fading;
    graph->stretch.number += 1;
    bl_worker_note_lap(&graph->workers[0], graph->turn_count);
}

static void count_cycle(bl_kernel *kernel, uint32_t frames, uint64_t ticks) BL_NONBLOCKING {
    kernel->longest_cycle_ticks =
        ticks > kernel->longest_cycle_ticks ? ticks : kernel->longest_cycle_ticks;
    kernel->cycle_ticks += ticks;
    kernel->cycle_count += 1;
    kernel->cycle_frames += frames;
}

void bl_kernel_render(bl_kernel *kernel, const bl_cycle *cycle) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    if (graph == NULL) {
        publish_done(kernel);
        return;
    }
    uint64_t start = bl_clock_ticks();
    bl_kernel_start_blame(kernel);
    graph->workers[0].ticks = start;
    bl_floating_point_mode mode = bl_flush_denormals();
    bl_message_place place = {.event = cycle->events};
    for (uint32_t offset = 0; offset < cycle->frames;) {
        uint32_t left = cycle->frames - offset;
        uint32_t frames = left < graph->maximum_frames ? left : graph->maximum_frames;
        frames = bl_fence_start_stretch(kernel, frames);
        render_stretch(kernel, cycle, offset, frames, &place);
        offset += frames;
    }
    bl_restore_floating_point(mode);
    publish_done(kernel);
    uint64_t ticks = graph->workers[0].ticks - start;
    bl_kernel_finish_blame(kernel, ticks, cycle->frames);
    count_cycle(kernel, cycle->frames, ticks);
    bl_kernel_report_pending(kernel);
    bl_kernel_publish(kernel, cycle->frames);
}

void bl_kernel_skip(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING {
    if (kernel->recorder != NULL) {
        bl_recorder_skip(kernel->recorder, frames);
    }
}

int64_t bl_kernel_sample_time(const bl_kernel *kernel) BL_NONBLOCKING {
    return kernel->sample_time;
}

void bl_kernel_set_sample_time(bl_kernel *kernel, int64_t sample_time) BL_NONBLOCKING {
    kernel->sample_time = sample_time;
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
