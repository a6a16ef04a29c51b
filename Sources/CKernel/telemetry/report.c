/* Reports to the control side: the rack and its units in turn, and what must not be lost. */

#include <math.h>
#include <string.h>

#include "cycle/bypass.h"
#include "cycle/kernel_state.h"
#include "telemetry/timing.h"

/* How often each node is reported. */
#define REPORTS_PER_SECOND 25
/* Nodes reported in one cycle. */
#define MOST_NODES_AT_ONCE 16
/* Room that meters and timings leave for more important reports. */
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

/* Reports that a control was pressed, unless that is reported already; false if the report is not
   due yet, or the ring is full. */
static bool report_press(bl_kernel *kernel, const bl_graph *graph, uint32_t place,
                         bool is_due) BL_NONBLOCKING {
    bl_lowered_control *control = &graph->controls.controls[place];
    if (control->state.presses == 0) {
        return true;
    }
    int64_t now = control->state.pressed_at > kernel->sample_time ? control->state.pressed_at
                                                                  : kernel->sample_time;
    is_due |=
        now - control->state.reported_at >= (int64_t)(kernel->sample_rate / PRESSES_PER_SECOND);
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

/* False if some reports are left. */
static bool report_presses(bl_kernel *kernel, const bl_graph *graph, bool are_due) BL_NONBLOCKING {
    bool is_done = true;
    for (uint32_t place = 0; place < graph->controls.control_count; place += 1) {
        is_done = report_press(kernel, graph, place, are_due) && is_done;
    }
    return is_done;
}

void bl_kernel_report_press(bl_kernel *kernel, uint32_t place, int64_t time) BL_NONBLOCKING {
    bl_lowered_control *control = &kernel->graph->controls.controls[place];
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
            return; /* its nodes and controls must be named before it is freed */
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
    kernel->has_faults = kernel->has_faults && graph != NULL && !report_faults(kernel, graph);
    report_events(kernel, BL_REPORT_EVENTS_LOST, &kernel->events_lost);
    report_events(kernel, BL_REPORT_EVENTS_DELAYED, &kernel->events_delayed);
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

static bool has_room(const bl_kernel *kernel) BL_NONBLOCKING {
    return kernel->reports.mask + 1 - bl_ring_count(&kernel->reports) >= RESERVED_ROOM;
}

void bl_kernel_note_midi(bl_kernel *kernel, uint32_t port, const bl_event *event) BL_NONBLOCKING {
    bl_midi_wiring *midi = &kernel->graph->midi;
    if (port < midi->input_count) {
        midi->inputs[port].count += 1;
        midi->inputs[port].last = event->type == BL_EVENT_MIDI
                                      ? event->midi
                                      : (bl_midi_event){0, 1, {BL_SYSTEM_EXCLUSIVE}};
    }
    if (!kernel->reports_midi || event->type != BL_EVENT_MIDI || !has_room(kernel)) {
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
        .frame = frame > 0 ? frame : 0,
    };
    bool is_reported = bl_ring_push(&kernel->reports, &report);
    kernel->moves_lost = is_reported ? 0 : kernel->moves_lost + 1;
}

void bl_meter_fold(bl_meter *meter) BL_NONBLOCKING {
    for (int lane = 0; lane < BL_METER_LANES; lane += 1) {
        meter->folded_squares += (double)meter->squares[lane];
        meter->squares[lane] = 0;
    }
    meter->folded_frames = meter->frames;
}

/* Reads and clears a meter; false if it has no frames. */
static bool pop_meter(bl_meter *meter, float *peak, float *mean_square) BL_NONBLOCKING {
    if (meter->frames == 0) {
        return false;
    }
    bl_meter_fold(meter);
    int32_t bits = 0;
    for (int lane = 0; lane < BL_METER_LANES; lane += 1) {
        bits = meter->peaks[lane] > bits ? meter->peaks[lane] : bits;
    }
    memcpy(peak, &bits, sizeof *peak);
    *mean_square = (float)(meter->folded_squares / (double)meter->frames);
    memset(meter, 0, sizeof *meter);
    return true;
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

/* Fills in a report and clears the times; at most 65535 cycles may lie between two reports. */
static void pop_timing(bl_timing *timing, double nanoseconds_per_tick,
                       bl_unit_report *report) BL_NONBLOCKING {
    if (timing->count == 0) {
        return;
    }
    uint32_t first = bl_timing_class(timing->minimum);
    uint32_t last = bl_timing_class(timing->maximum);
    size_t used = (last - first + 1) * sizeof timing->classes[0];
    report->p50 = (float)(percentile(timing, timing->count / 2) * nanoseconds_per_tick);
    report->p99 = (float)(percentile(timing, timing->count / 100) * nanoseconds_per_tick);
    report->cycles = timing->count;
    report->minimum = (float)((double)timing->minimum * nanoseconds_per_tick);
    report->maximum = (float)((double)timing->maximum * nanoseconds_per_tick);
    report->mean = (float)((double)timing->sum / (double)timing->count * nanoseconds_per_tick);
    /* Only classes between the minimum and the maximum have counts. */
    memset(&timing->classes[first], 0, used);
    timing->count = 0;
    timing->sum = timing->minimum = timing->maximum = 0;
}

/* Reports the meters of a port; the caller has checked that there is room. */
static void report_port(bl_kernel *kernel, bl_meter *meters, bl_meter_place place, uint32_t port,
                        uint32_t channel_count) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < channel_count; channel += 1) {
        bl_report report = {.type = BL_REPORT_METER, .meter = {place, port, channel, 0, 0}};
        if (pop_meter(&meters[channel], &report.meter.peak, &report.meter.mean_square)) {
            bl_ring_push(&kernel->reports, &report);
        }
    }
}

static void report_node(bl_kernel *kernel, bl_lowered_node *lowered) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bl_report report = {.type = BL_REPORT_UNIT, .unit = {.node = node->identifier}};
    bl_unit_report *unit = &report.unit;
    bool is_rendered = node->timing.count > 0;
    pop_timing(&node->timing, kernel->nanoseconds_per_tick, unit);
    for (uint32_t bus = 0; bus < node->output_count; bus += 1) {
        const bl_lowered_output *output = &lowered->outputs[bus];
        for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
            float peak = 0, mean_square = 0;
            is_rendered |=
                pop_meter(&node->meters[output->first_meter + channel], &peak, &mean_square);
            unit->peak_of_all = fmaxf(unit->peak_of_all, peak);
            if (bus == 0) {
                unit->peak = fmaxf(unit->peak, peak);
                unit->mean_square = fmaxf(unit->mean_square, mean_square);
            }
        }
    }
    if (is_rendered) {
        bl_ring_push(&kernel->reports, &report);
    }
}

static void report_rack(bl_kernel *kernel) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    bl_meter *meters = graph->input_meters;
    for (uint32_t port = 0; port < graph->input_count; port += 1) {
        report_port(kernel, meters, BL_METER_RACK_INPUT, port, graph->input_channel_counts[port]);
        meters += graph->input_channel_counts[port];
    }
    meters = graph->output_meters;
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        report_port(kernel, meters, BL_METER_RACK_OUTPUT, port, graph->outputs[port].channel_count);
        meters += graph->outputs[port].channel_count;
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
        kernel->cycle_count,
        kernel->cycle_frames,
        (float)(mean * kernel->nanoseconds_per_tick),
        (float)((double)kernel->longest_cycle_ticks * kernel->nanoseconds_per_tick),
        kernel->sample_time,
        bl_kernel_threads(kernel)};
    if (bl_ring_push(&kernel->reports, &report)) {
        kernel->cycle_count = 0;
        kernel->cycle_frames = 0;
        kernel->cycle_ticks = 0;
        kernel->longest_cycle_ticks = 0;
    }
}

void bl_kernel_report(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    uint32_t parts = graph->node_count + 1; /* the nodes and the rack */
    uint32_t interval = (uint32_t)(kernel->sample_rate / REPORTS_PER_SECOND) / parts + 1;
    kernel->report_credit += frames;
    for (uint32_t done = 0; done < MOST_NODES_AT_ONCE && kernel->report_credit >= interval;
         done += 1) {
        if (!has_room(kernel)) {
            kernel->report_credit = 0;
            return;
        }
        if (kernel->next_reported >= graph->node_count) {
            report_rack(kernel);
            kernel->next_reported = 0;
        } else {
            report_node(kernel, &graph->nodes[kernel->next_reported]);
            kernel->next_reported += 1;
        }
        kernel->report_credit -= interval;
    }
    kernel->report_credit = kernel->report_credit < interval ? kernel->report_credit : 0;
}
