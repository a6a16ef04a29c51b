/* Lowers MIDI cables, and keeps their held notes from one graph to the next. */

#include <stdlib.h>

#include "cycle/kernel_state.h"

/* An order of cables that is the same in two graphs: by their ends, the rack's first, then by what
   they admit. */
static int compare(const bl_lowered_midi_cable *one,
                   const bl_lowered_midi_cable *other) BL_NONBLOCKING {
    uintptr_t ones[] = {(uintptr_t)one->source, one->source_cable, (uintptr_t)one->destination,
                        one->destination_cable, one->channels,     one->lowest_note,
                        one->note_count};
    uintptr_t others[] = {
        (uintptr_t)other->source, other->source_cable, (uintptr_t)other->destination,
        other->destination_cable, other->channels,     other->lowest_note,
        other->note_count};
    for (uint32_t place = 0; place < 7; place += 1) {
        if (ones[place] != others[place]) {
            return ones[place] < others[place] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_opaque(const void *one, const void *other) { return compare(one, other); }

/* Assigns each node its cables, which are adjacent; a node that sends MIDI is rendered even if no
   output pulls its sound. */
static void assign_cables(bl_graph *graph) {
    bl_midi_wiring *wiring = &graph->midi;
    for (uint32_t index = 0; index < wiring->cable_count; index += 1) {
        bl_lowered_midi_cable *cable = &wiring->cables[index];
        if (cable->from == NULL) {
            wiring->input_cable_count += 1;
            continue;
        }
        if (cable->from->midi_cable_count == 0) {
            cable->from->midi_cables = cable;
        }
        cable->from->midi_cable_count += 1;
        if (cable->from->node->output_count > 0) {
            cable->from->outputs[0].is_read = true;
        }
    }
}

void bl_graph_lower_midi_cables(bl_graph *graph, const bl_graph_description *description) {
    bl_midi_wiring *wiring = &graph->midi;
    uint32_t count = description->midi_cable_count;
    wiring->output_count = description->midi_output_count;
    wiring->outputs =
        bl_arena_allocate(&graph->arena, wiring->output_count + 1, sizeof *wiring->outputs);
    wiring->input_count = description->midi_input_count;
    wiring->inputs =
        bl_arena_allocate(&graph->arena, wiring->input_count + 1, sizeof *wiring->inputs);
    wiring->cables = bl_arena_allocate(&graph->arena, count + 1, sizeof *wiring->cables);
    for (uint32_t index = 0; !graph->arena.failed && index < count; index += 1) {
        const bl_midi_cable *given = &description->midi_cables[index];
        bool is_input = given->source.node == BL_RACK;
        bool is_output = given->destination.node == BL_RACK;
        bl_lowered_midi_cable cable = {.source_cable = given->source.bus,
                                       .destination_cable = given->destination.bus,
                                       .channels = given->channels,
                                       .lowest_note = given->lowest_note,
                                       .note_count = given->note_count};
        cable.source = is_input ? NULL : description->nodes[given->source.node];
        cable.destination = is_output ? NULL : description->nodes[given->destination.node];
        cable.from = is_input ? NULL : bl_graph_lowered_node(graph, cable.source);
        bool is_received = is_output || bl_graph_lowered_node(graph, cable.destination) != NULL;
        if (is_received && (is_input || cable.from != NULL)) {
            wiring->cables[wiring->cable_count++] = cable;
        }
    }
    if (!graph->arena.failed) {
        qsort(wiring->cables, wiring->cable_count, sizeof *wiring->cables, compare_opaque);
        assign_cables(graph);
    }
}

/* The highest latency of MIDI at a node, or at one of the rack's outputs. */
static uint32_t arrival(const bl_graph *graph, const bl_node *node, uint32_t output) {
    uint32_t latest = 0;
    for (uint32_t index = 0; index < graph->midi.cable_count; index += 1) {
        const bl_lowered_midi_cable *cable = &graph->midi.cables[index];
        bool leads_there =
            cable->destination == node && (node != NULL || cable->destination_cable == output);
        if (leads_there && cable->from != NULL && cable->from->latency > latest) {
            latest = cable->from->latency;
        }
    }
    return latest;
}

uint32_t bl_graph_midi_arrival(const bl_graph *graph, const bl_node *node) {
    return arrival(graph, node, 0);
}

uint32_t bl_graph_midi_latency(const bl_graph *graph, uint32_t output) {
    return arrival(graph, NULL, output);
}

static bool is_rendered(const bl_kernel *kernel, const bl_node *node) BL_NONBLOCKING {
    return node->graph_serial == kernel->graph_serial && node->is_rendered;
}

/* Keeps the events of nodes and outputs that are still there, when the graph changes twice before a
   cycle. */
static void move_events(const bl_kernel *kernel, bl_graph *old) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    for (uint32_t place = 0; place < old->node_count; place += 1) {
        bl_node *node = old->nodes[place].node;
        if (!is_rendered(kernel, node)) {
            node->first_event = NULL;
            node->last_event = NULL;
        }
    }
    for (uint32_t port = 0; port < old->midi.output_count; port += 1) {
        if (graph != NULL && port < graph->midi.output_count) {
            graph->midi.outputs[port] = old->midi.outputs[port];
            graph->midi.has_lost_end |= old->midi.outputs[port].has_unended;
        }
    }
}

/* Whether this end of a cable is still there. */
static bool is_there(const bl_kernel *kernel, const bl_node *destination,
                     uint32_t destination_cable) BL_NONBLOCKING {
    return destination != NULL ? is_rendered(kernel, destination)
                               : destination_cable < kernel->graph->midi.output_count;
}

static bool holds_any(const bl_held_notes *held) BL_NONBLOCKING {
    uint64_t any = held->pedals;
    for (uint32_t channel = 0; channel < 16; channel += 1) {
        any |= held->notes[channel][0] | held->notes[channel][1];
    }
    return any != 0;
}

static void remember(bl_midi_memory *memory, const bl_node *destination, uint32_t destination_cable,
                     const bl_held_notes *held) BL_NONBLOCKING {
    if (memory->remembered_count < BL_MOST_REMEMBERED && holds_any(held)) {
        memory->remembered[memory->remembered_count++] =
            (bl_remembered_notes){destination, destination_cable, *held};
    }
}

/* Remembers all notes that are held when the kernel loses its graph. */
static void remember_notes(bl_midi_memory *memory, const bl_graph *old) BL_NONBLOCKING {
    for (uint32_t index = 0; index < old->midi.cable_count; index += 1) {
        const bl_lowered_midi_cable *cable = &old->midi.cables[index];
        remember(memory, cable->destination, cable->destination_cable, &cable->held);
    }
    for (uint32_t port = 0; port < old->midi.output_count; port += 1) {
        remember(memory, NULL, port, &old->midi.outputs[port].unended);
    }
}

/* Ends the notes that were held when the kernel lost its graph. A node may not exist any more if it
   is not in this graph, so its address is only compared. */
static void end_remembered_notes(bl_kernel *kernel) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    for (uint32_t index = 0; index < kernel->midi.remembered_count; index += 1) {
        const bl_remembered_notes *notes = &kernel->midi.remembered[index];
        bl_lowered_midi_cable cable = {.destination_cable = notes->destination_cable,
                                       .held = notes->held};
        for (uint32_t place = 0; place < graph->node_count; place += 1) {
            if (graph->nodes[place].node == notes->destination) {
                cable.destination = graph->nodes[place].node;
            }
        }
        bool is_output =
            notes->destination == NULL && notes->destination_cable < graph->midi.output_count;
        if (cable.destination != NULL || is_output) {
            bl_midi_release_cable(graph, &cable, kernel->sample_time);
        }
    }
    kernel->midi.remembered_count = 0;
}

void bl_midi_take_over(bl_kernel *kernel, bl_graph *old) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    if (graph != NULL) {
        graph->midi.kernel = kernel;
        graph->midi.frames = 1;
        end_remembered_notes(kernel);
    }
    if (old == NULL) {
        return;
    }
    move_events(kernel, old);
    if (graph == NULL) {
        remember_notes(&kernel->midi, old);
        return;
    }
    uint32_t place = 0;
    for (uint32_t index = 0; index < old->midi.cable_count; index += 1) {
        bl_lowered_midi_cable *former = &old->midi.cables[index];
        while (place < graph->midi.cable_count && compare(&graph->midi.cables[place], former) < 0) {
            place += 1;
        }
        if (place < graph->midi.cable_count && compare(&graph->midi.cables[place], former) == 0) {
            graph->midi.cables[place].held = former->held;
            graph->midi.cables[place].has_lost_end = former->has_lost_end;
            graph->midi.has_lost_end |= former->has_lost_end;
        } else if (is_there(kernel, former->destination, former->destination_cable)) {
            bl_midi_release_cable(graph, former, kernel->sample_time);
        }
    }
}
