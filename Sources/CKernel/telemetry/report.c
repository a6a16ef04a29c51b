/* Reports to the control side. */

#include "cycle/kernel_state.h"

/* Room in the ring that reports of MIDI messages leave for more important reports. */
#define RESERVED_ROOM 256
/* The most reports of each control. */
#define PRESSES_PER_SECOND 20

static const bl_report_type report_types[BL_RENDER_RESULT_COUNT] = {
    [BL_RENDERED_LATE] = BL_REPORT_LATENCY_EXCEEDED,
    [BL_RENDERED_NON_FINITE] = BL_REPORT_NON_FINITE,
    [BL_RENDER_UNAVAILABLE] = BL_REPORT_UNAVAILABLE,
    [BL_RENDER_FAILED] = BL_REPORT_RENDER_FAILED,
    [BL_STAYS_NON_FINITE] = BL_REPORT_STAYS_NON_FINITE,
};

/* Reports units' faults; false when the ring is full. */
static bool report_faults(bl_kernel *kernel, const bl_graph *graph) BL_NONBLOCKING {
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        bl_node *node = graph->nodes[place].node;
        for (uint32_t result = BL_RENDERED + 1; result < BL_RENDER_RESULT_COUNT; result += 1) {
            if (node->faults[result] == 0) {
                continue;
            }
            bl_report report = {.type = report_types[result]};
            report.fault = (bl_fault_report){node->receiver.identifier, node->faults[result]};
            if (!bl_ring_push(&kernel->reports, &report)) {
                return false;
            }
            node->faults[result] = 0;
        }
    }
    return true;
}

/* Reports outputs that were too loud; false when the ring is full. */
static bool report_loudness(bl_kernel *kernel, const bl_graph *graph) BL_NONBLOCKING {
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        bl_fenced_output *output = &graph->fence.outputs[port];
        if (output->times == 0) {
            continue;
        }
        bl_report report = {.type = BL_REPORT_TOO_LOUD};
        report.loud = (bl_loud_report){port, output->cause, output->times, output->peak};
        if (!bl_ring_push(&kernel->reports, &report)) {
            return false;
        }
        output->times = 0;
    }
    return true;
}

/* Reports that a control was pressed, unless it is reported already; false if the report is not due
   yet, or the ring is full. */
static bool report_press(bl_kernel *kernel, const bl_graph *graph, uint32_t place,
                         bool is_due) BL_NONBLOCKING {
    bl_lowered_control *control = &graph->plan.controls.controls[place];
    if (control->state.presses == 0) {
        return true;
    }
    int64_t now = control->state.pressed_at > kernel->events.sample_time
                      ? control->state.pressed_at
                      : kernel->events.sample_time;
    is_due |= now - control->state.reported_at >=
              (int64_t)(kernel->events.sample_rate / PRESSES_PER_SECOND);
    bl_report report = {
        .type = BL_REPORT_CONTROL,
        .control = {graph, place, control->state.presses, control->state.pressed_at}};
    if (!is_due || !bl_ring_push(&kernel->reports, &report)) {
        return false;
    }
    control->state.reported_at = now;
    control->state.presses = 0;
    return true;
}

/* Reports presses of controls; false if some are left. */
static bool report_presses(bl_kernel *kernel, const bl_graph *graph, bool are_due) BL_NONBLOCKING {
    bool is_done = true;
    for (uint32_t place = 0; place < graph->plan.controls.control_count; place += 1) {
        is_done = report_press(kernel, graph, place, are_due) && is_done;
    }
    return is_done;
}

static void press(void *opaque, uint32_t place, int64_t time) BL_NONBLOCKING {
    bl_kernel *kernel = opaque;
    bl_lowered_control *control = &kernel->graph->plan.controls.controls[place];
    control->state.presses += 1;
    control->state.pressed_at = time;
    kernel->has_presses |= !report_press(kernel, kernel->graph, place, false);
}

static void report_events(bl_kernel *kernel, bl_report_type type, uint64_t *count) BL_NONBLOCKING {
    if (*count > 0) {
        bl_report report = {.type = type, .events = *count};
        *count = bl_ring_push(&kernel->reports, &report) ? 0 : *count;
    }
}

void bl_kernel_report_pending(bl_kernel *kernel) BL_NONBLOCKING {
    while (kernel->retired != NULL) {
        bl_graph *graph = kernel->retired;
        if (!report_faults(kernel, graph) || !report_presses(kernel, graph, true)) {
            return; /* its nodes and controls must be reported before it is freed */
        }
        /* After the push the control side owns the graph. */
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
    kernel->has_faults = kernel->has_faults && graph != NULL &&
                         !(report_faults(kernel, graph) && report_loudness(kernel, graph));
    report_events(kernel, BL_REPORT_EVENTS_LOST, &kernel->events.lost);
    report_events(kernel, BL_REPORT_EVENTS_DELAYED, &kernel->events.delayed);
    kernel->has_presses =
        kernel->has_presses && graph != NULL && !report_presses(kernel, graph, false);
    if (kernel->ends_moves) {
        bl_report report = {.type = BL_REPORT_MOVES_END};
        kernel->ends_moves = !bl_ring_push(&kernel->reports, &report);
    }
    if (kernel->xruns.count > 0) {
        bl_report report = {.type = BL_REPORT_XRUN, .xrun = kernel->xruns};
        if (bl_ring_push(&kernel->reports, &report)) {
            kernel->xruns = (bl_xrun_report){0};
        }
    }
}

bool bl_kernel_has_report_room(const bl_kernel *kernel) BL_NONBLOCKING {
    return kernel->reports.mask + 1 - bl_ring_count(&kernel->reports) >= RESERVED_ROOM;
}

static void count_midi(void *opaque, uint32_t port, const bl_event *message) BL_NONBLOCKING {
    bl_kernel *kernel = opaque;
    const bl_graph *graph = kernel->graph;
    bool is_short = message->type == BL_EVENT_MIDI;
    if (port < graph->midi_input_count) {
        graph->midi_inputs[port].count += 1;
        graph->midi_inputs[port].last =
            is_short ? message->midi : (bl_midi_event){0, 1, {BL_SYSTEM_EXCLUSIVE}};
    }
    if (kernel->reports_midi && is_short && bl_kernel_has_report_room(kernel)) {
        bl_report report = {.type = BL_REPORT_MIDI, .midi = {port, message->midi}};
        bl_ring_push(&kernel->reports, &report);
    }
}

/* Reports a move if moves are reported and the transport moves. */
static void report_move(void *opaque, const bl_receiver *receiver, bl_parameter_event change,
                        int64_t time) BL_NONBLOCKING {
    bl_kernel *kernel = opaque;
    const bl_transport_state *transport = &kernel->music.transport;
    if (!kernel->reports_moves || (transport->flags & BL_TRANSPORT_MOVING) == 0) {
        return;
    }
    int64_t frame = transport->sample_position + (time - kernel->music_time) -
                    (int64_t)bl_receiver_latency_to(receiver, change.address);
    bl_report report = {.type = BL_REPORT_MOVE};
    report.move = (bl_move_report){
        .node = receiver->identifier,
        .lost = atomic_load_explicit(&kernel->moves_lost, memory_order_relaxed),
        .before = bl_receiver_present(receiver, change.address),
        .change = change,
        .frame = frame > 0 ? frame : 0,
    };
    bool is_reported = bl_ring_push(&kernel->reports, &report);
    atomic_store_explicit(&kernel->moves_lost, is_reported ? 0 : report.move.lost + 1,
                          memory_order_relaxed);
}

bl_event_observer bl_kernel_event_observer(bl_kernel *kernel) {
    return (bl_event_observer){kernel, report_move, press, count_midi, bl_kernel_bypass};
}
