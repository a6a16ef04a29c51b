/* What goes up: meters and timings in turn, and what must not be lost. */

#include "cycle/dry.h"
#include "cycle/kernel_state.h"

#define TURNS_PER_SECOND 25
#define MOST_TURNS_AT_ONCE 16
/* Room that meters and timings leave for reports that matter more. */
#define RESERVED_ROOM 256
/* How often each control is reported at most. */
#define PRESSES_PER_SECOND 20

static const bl_report_type report_types[BL_RENDER_RESULT_COUNT] = {
    [BL_RENDERED_LATE] = BL_REPORT_LATENCY_EXCEEDED,
    [BL_RENDERED_NON_FINITE] = BL_REPORT_NON_FINITE,
    [BL_RENDER_UNAVAILABLE] = BL_REPORT_UNAVAILABLE,
    [BL_RENDER_FAILED] = BL_REPORT_RENDER_FAILED,
};

/* False when the ring is full. */
static bool report_faults(bl_kernel *kernel, const bl_graph *graph) BL_NONBLOCKING {
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        bl_node *node = graph->nodes[place].node;
        for (uint32_t result = BL_RENDERED + 1; result < BL_RENDER_RESULT_COUNT; result += 1) {
            if (node->faults[result] == 0) {
                continue;
            }
            bl_report report = {.type = report_types[result]};
            report.fault = (bl_fault_report){node->identifier, node->faults[result]};
            if (!bl_ring_push(&kernel->reports, &report)) {
                return false;
            }
            node->faults[result] = 0;
        }
    }
    return true;
}

/* Reports a control that was pressed and not reported yet; false where that is not due, or the ring
   is full. */
static bool report_press(bl_kernel *kernel, const bl_graph *graph, uint32_t place,
                         bool is_due) BL_NONBLOCKING {
    bl_lowered_control *control = &graph->controls.controls[place];
    if (control->presses == 0) {
        return true;
    }
    int64_t now =
        control->pressed_at > kernel->sample_time ? control->pressed_at : kernel->sample_time;
    is_due |= now - control->reported_at >= (int64_t)(kernel->sample_rate / PRESSES_PER_SECOND);
    bl_report report = {.type = BL_REPORT_CONTROL,
                        .control = {graph, place, control->presses, control->pressed_at}};
    if (!is_due || !bl_ring_push(&kernel->reports, &report)) {
        return false;
    }
    control->reported_at = now;
    control->presses = 0;
    return true;
}

/* False when some are left. */
static bool report_presses(bl_kernel *kernel, const bl_graph *graph, bool are_due) BL_NONBLOCKING {
    bool is_done = true;
    for (uint32_t place = 0; place < graph->controls.control_count; place += 1) {
        is_done = report_press(kernel, graph, place, are_due) && is_done;
    }
    return is_done;
}

void bl_kernel_report_press(bl_kernel *kernel, uint32_t place, int64_t time) BL_NONBLOCKING {
    bl_lowered_control *control = &kernel->graph->controls.controls[place];
    control->presses += 1;
    control->pressed_at = time;
    kernel->has_presses |= !report_press(kernel, kernel->graph, place, false);
}

static void report_events(bl_kernel *kernel, bl_report_type type, uint64_t *count) BL_NONBLOCKING {
    bl_report report = {.type = type, .events = *count};
    if (*count > 0 && bl_ring_push(&kernel->reports, &report)) {
        *count = 0;
    }
}

void bl_kernel_report_pending(bl_kernel *kernel) BL_NONBLOCKING {
    while (kernel->retired != NULL) {
        bl_graph *graph = kernel->retired;
        if (!report_faults(kernel, graph) || !report_presses(kernel, graph, true)) {
            return; /* while its nodes and controls are there to be named */
        }
        /* Once it is pushed, the graph is the control side's. */
        bl_graph *next = graph->next_retired;
        bl_report report = {.type = BL_REPORT_GRAPH_RETIRED, .graph = graph};
        if (!bl_ring_push(&kernel->reports, &report)) {
            return;
        }
        kernel->retired = next;
    }
    bl_graph *graph = kernel->graph;
    if (graph != NULL && graph->has_fades && !graph->fades_reported &&
        graph->fade_position >= (int32_t)graph->fade_frames) {
        bl_report report = {.type = BL_REPORT_FADES_FINISHED, .graph = graph};
        graph->fades_reported = bl_ring_push(&kernel->reports, &report);
    }
    kernel->has_faults = kernel->has_faults && graph != NULL && !report_faults(kernel, graph);
    report_events(kernel, BL_REPORT_EVENTS_LOST, &kernel->events_lost);
    report_events(kernel, BL_REPORT_EVENTS_DELAYED, &kernel->events_delayed);
    kernel->has_presses =
        kernel->has_presses && graph != NULL && !report_presses(kernel, graph, false);
    bl_report end = {.type = BL_REPORT_MOVES_END};
    kernel->ends_moves = kernel->ends_moves && !bl_ring_push(&kernel->reports, &end);
    bl_report report = {.type = BL_REPORT_XRUN, .xrun = kernel->xruns};
    if (kernel->xruns.count > 0 && bl_ring_push(&kernel->reports, &report)) {
        kernel->xruns = (bl_xrun_report){0};
    }
}

void bl_kernel_note_midi(bl_kernel *kernel, uint32_t port, const bl_event *event) BL_NONBLOCKING {
    bl_midi_wiring *midi = &kernel->graph->midi;
    if (port < midi->input_count) {
        midi->inputs[port].count += 1;
        midi->inputs[port].last =
            event->type == BL_EVENT_MIDI ? event->midi : (bl_midi_event){0, 1, {0xf0}};
    }
    if (!kernel->reports_midi || event->type != BL_EVENT_MIDI ||
        bl_ring_room(&kernel->reports) < RESERVED_ROOM) {
        return;
    }
    bl_report report = {.type = BL_REPORT_MIDI, .midi = {port, event->midi}};
    bl_ring_push(&kernel->reports, &report);
}

void bl_kernel_report_move(bl_kernel *kernel, const bl_node *node, bl_parameter_address address,
                           float value, uint32_t ramp_duration, int64_t time) BL_NONBLOCKING {
    const bl_transport_state *transport = &kernel->music.transport;
    if (!kernel->reports_moves || (transport->flags & BL_TRANSPORT_MOVING) == 0) {
        return;
    }
    bool is_bypass = address == BL_CONTROL_BYPASS;
    int64_t frame = transport->sample_position + (time - kernel->music_time) -
                    (int64_t)bl_node_latency_to(node, address);
    bl_report report = {.type = BL_REPORT_MOVE};
    report.move = (bl_move_report){
        .node = node->identifier,
        .ramp_duration = ramp_duration,
        .lost = kernel->moves_lost,
        .before = is_bypass ? bl_is_bypassed_at(node, (uint32_t)(time - kernel->sample_time))
                            : bl_node_value(node, address),
        .value = value,
        .address = address,
        /* What is heard now stood at the rack's inputs before. */
        .frame = frame > 0 ? frame : 0,
    };
    bool is_reported = bl_ring_push(&kernel->reports, &report);
    kernel->moves_lost = is_reported ? 0 : kernel->moves_lost + 1;
}

static void report_meter(bl_kernel *kernel, bl_meter *meter, bl_meter_place place, uint32_t node,
                         uint32_t bus, uint32_t channel) BL_NONBLOCKING {
    bl_report report = {.type = BL_REPORT_METER};
    report.meter = (bl_meter_report){.place = place, .node = node, .bus = bus, .channel = channel};
    /* The caller has made sure of room. */
    if (bl_meter_pop(meter, &report.meter.peak, &report.meter.mean_square)) {
        bl_ring_push(&kernel->reports, &report);
    }
}

static void report_node(bl_kernel *kernel, bl_lowered_node *lowered) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    for (uint32_t bus = 0; bus < node->output_count; bus += 1) {
        const bl_lowered_output *output = &lowered->outputs[bus];
        for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
            report_meter(kernel, &node->meters[output->first_meter + channel], BL_METER_UNIT_OUTPUT,
                         node->identifier, bus, channel);
        }
    }
    if (node->timing.count > 0) {
        bl_report report = {.type = BL_REPORT_TIMING};
        report.timing.node = node->identifier;
        bl_timing_pop(&node->timing, kernel->nanoseconds_per_tick, &report.timing);
        bl_ring_push(&kernel->reports, &report);
    }
}

static void report_rack(bl_kernel *kernel) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    uint32_t channel = 0;
    for (uint32_t port = 0; port < graph->input_count; port += 1) {
        for (uint32_t own = 0; own < graph->input_channel_counts[port]; own += 1) {
            report_meter(kernel, &graph->input_meters[channel++], BL_METER_RACK_INPUT, 0, port,
                         own);
        }
    }
    channel = 0;
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        for (uint32_t own = 0; own < graph->outputs[port].channel_count; own += 1) {
            report_meter(kernel, &graph->output_meters[channel++], BL_METER_RACK_OUTPUT, 0, port,
                         own);
        }
    }
    for (uint32_t port = 0; port < graph->midi.input_count; port += 1) {
        bl_midi_activity *activity = &graph->midi.inputs[port];
        bl_report report = {.type = BL_REPORT_MIDI_INPUT,
                            .midi_input = {port, activity->count, activity->last}};
        if (activity->count > 0 && bl_ring_push(&kernel->reports, &report)) {
            activity->count = 0;
        }
    }
    bl_report report = {.type = BL_REPORT_CYCLES};
    double mean =
        kernel->cycle_count > 0 ? (double)kernel->cycle_ticks / (double)kernel->cycle_count : 0;
    report.cycles = (bl_cycles_report){
        kernel->cycle_count, kernel->cycle_frames, (float)(mean * kernel->nanoseconds_per_tick),
        (float)((double)kernel->longest_cycle_ticks * kernel->nanoseconds_per_tick),
        kernel->sample_time};
    if (bl_ring_push(&kernel->reports, &report)) {
        kernel->cycle_count = 0;
        kernel->cycle_frames = 0;
        kernel->cycle_ticks = 0;
        kernel->longest_cycle_ticks = 0;
    }
}

void bl_kernel_report(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    uint32_t turns = graph->node_count + 1;
    uint32_t interval = (uint32_t)(kernel->sample_rate / TURNS_PER_SECOND) / turns + 1;
    kernel->report_credit += frames;
    for (uint32_t done = 0; done < MOST_TURNS_AT_ONCE && kernel->report_credit >= interval;
         done += 1) {
        if (bl_ring_room(&kernel->reports) < RESERVED_ROOM) {
            kernel->report_credit = 0;
            return;
        }
        if (kernel->report_turn >= graph->node_count) {
            report_rack(kernel);
            kernel->report_turn = 0;
        } else {
            report_node(kernel, &graph->nodes[kernel->report_turn]);
            kernel->report_turn += 1;
        }
        kernel->report_credit -= interval;
    }
    kernel->report_credit = kernel->report_credit < interval ? kernel->report_credit : 0;
}
