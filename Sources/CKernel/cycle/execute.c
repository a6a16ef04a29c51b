/* Executes commands from the control side, including a new graph. */
#include "cycle/kernel_state.h"
#include "modulation/modulated.h"

/* Prepares a node for the new graph; `lowered` is NULL if no output pulls the node. */
static void enter(const bl_kernel *kernel, bl_node *node,
                  const bl_lowered_node *lowered) BL_NONBLOCKING {
    bool was_away = node->receiver.plan_number + 1 != kernel->events.plan_number;
    node->receiver.plan_number = kernel->events.plan_number;
    node->receiver.is_rendered = lowered != NULL;
    node->receiver.output_latency = lowered != NULL ? lowered->latency : 0;
    node->receiver.input_latency = lowered != NULL ? lowered->latency - lowered->own_latency : 0;
    node->turn = lowered != NULL ? lowered->turn : NULL;
    if (was_away) { /* nothing is scheduled for the node */
        node->receiver.bypass_time = BL_LONG_AGO;
    }
    bool was_switched = was_away && node->switch_count > 0; /* just before the node left */
    if (lowered == NULL || was_switched) {
        bl_node_set_bypassed(node, node->receiver.bypassed);
    }
}

/* Plays a new graph from now on; the old one is reported retired. */
static void replace_graph(bl_kernel *kernel, bl_graph *graph) BL_NONBLOCKING {
    bl_graph *old = kernel->graph;
    if (old != NULL) {
        old->next_retired = kernel->retired;
        kernel->retired = old;
    }
    kernel->graph = graph;
    kernel->recorder = graph != NULL ? graph->recording.recorder : kernel->recorder;
    kernel->events.plan_number += 1;
    kernel->slowest[0] = kernel->slowest[1] = (bl_xrun_report){0}; /* of other nodes */
    kernel->slowest_frames = 0;
    if (graph != NULL) {
        graph->kernel = kernel;
        graph->long_ticks = (uint64_t)(BL_TIMING_ALWAYS / kernel->nanoseconds_per_tick);
    }
    for (uint32_t place = 0; graph != NULL && place < graph->node_count; place += 1) {
        enter(kernel, graph->nodes[place].node, &graph->nodes[place]);
    }
    for (uint32_t place = 0; graph != NULL && place < graph->idle_count; place += 1) {
        enter(kernel, graph->idle_nodes[place], NULL);
    }
    bl_event_source_set_plan(&kernel->events, graph != NULL ? &graph->plan : NULL,
                             old != NULL ? &old->plan : NULL);
    bl_modulations_continue(kernel, old);
    if (graph != NULL && old != NULL) {
        bl_fence_continue(graph, old);
    }
}

static void schedule(bl_kernel *kernel, const bl_command *command, bl_node *node) BL_NONBLOCKING {
    bl_event event = {.sample_time = kernel->events.sample_time, .type = BL_EVENT_PARAMETER};
    if (command->type == BL_COMMAND_SCHEDULE) {
        event = command->event;
    } else if (command->type == BL_COMMAND_SET_BYPASS) {
        event.parameter = (bl_parameter_event){BL_CONTROL_BYPASS, command->bypassed, 0, false};
    } else {
        event.type = BL_EVENT_PARAMETER_RAMP;
        event.parameter = command->parameter;
        event.parameter.ramp_duration = kernel->events.ramp_duration;
    }
    bl_event_source_schedule(&kernel->events, &node->receiver, event,
                             command->type != BL_COMMAND_SCHEDULE, true);
}

static void execute_for_node(bl_kernel *kernel, const bl_command *command) BL_NONBLOCKING {
    bl_node *node = kernel->graph != NULL ? bl_graph_find_node(kernel->graph, command->node) : NULL;
    if (node != NULL) {
        schedule(kernel, command, node);
    } else {
        bl_event_source_lose(&kernel->events,
                             command->type == BL_COMMAND_SCHEDULE ? &command->event : NULL);
    }
}

void bl_kernel_execute(bl_kernel *kernel, const bl_command *command) BL_NONBLOCKING {
    switch (command->type) {
    case BL_COMMAND_SET_GRAPH: replace_graph(kernel, command->graph); break;
    case BL_COMMAND_SET_SAMPLE_RATE:
        kernel->events.sample_rate = command->sample_rate;
        kernel->events.ramp_duration = bl_ramp_frames(command->sample_rate);
        break;
    case BL_COMMAND_REPORT_MIDI: kernel->reports_midi = command->reports_midi; break;
    case BL_COMMAND_REPORT_MOVES:
        kernel->reports_moves = command->reports_moves;
        kernel->ends_moves = !command->reports_moves;
        break;
    case BL_COMMAND_PANIC:
        if (kernel->graph != NULL) {
            bl_midi_end_received(&kernel->events, NULL,
                                 (bl_midi_end){kernel->events.sample_time, true});
        }
        break;
    case BL_COMMAND_CONTROL_MIDI:
        if (kernel->graph != NULL) {
            bl_event event = {.sample_time = kernel->events.sample_time, .type = BL_EVENT_MIDI};
            event.midi = command->midi;
            bl_controls_apply(&kernel->events, command->node, &event);
        }
        break;
    case BL_COMMAND_SCHEDULE:
    case BL_COMMAND_SET_PARAMETER:
    case BL_COMMAND_SET_BYPASS: execute_for_node(kernel, command); break;
    }
}
