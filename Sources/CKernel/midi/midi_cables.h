/* MIDI's cables: from the rack's MIDI inputs and the units that send, to units and the rack's MIDI
   outputs, within the cycle in which it was sent. */
#ifndef BACKLINE_KERNEL_MIDI_CABLES_H
#define BACKLINE_KERNEL_MIDI_CABLES_H

#include <stdbool.h>

#include "backline/unit.h"
#include "kernel/kernel.h"

struct bl_kernel;
struct bl_lowered_node;

/* The notes that have begun on a cable and not ended, and the pedals that are down. */
typedef struct bl_held_notes {
    uint64_t notes[16][2]; /* of each channel, a bit a note */
    uint16_t pedals;       /* a bit a channel */
} bl_held_notes;

typedef struct bl_lowered_midi_cable {
    bl_node *source;            /* NULL for the rack */
    uint32_t source_cable;      /* of the node, or the rack's MIDI input */
    bl_node *destination;       /* NULL for the rack */
    uint32_t destination_cable; /* of the node, or the rack's MIDI output */
    uint16_t channels;          /* as in bl_midi_cable, and so the next two */
    uint8_t lowest_note, note_count;
    struct bl_lowered_node *from; /* where the source stands in this graph; NULL for the rack */

    /* The rest is the render thread's. */
    bl_held_notes held;
    bool has_lost_end;   /* the end of a note found no room */
    bl_event *last_sent; /* in the cycle below */
    uint64_t cycle;
} bl_lowered_midi_cable;

/* What has come in at one of the rack's MIDI inputs since that was last reported. */
typedef struct bl_midi_activity {
    uint32_t count;
    bl_midi_event last;
} bl_midi_activity;

/* What goes to one of the rack's MIDI outputs in this cycle, in order of time. */
typedef struct bl_midi_output {
    bl_event *first, *last;
    bl_held_notes unended; /* notes and pedals whose ends found no room outside */
    bool has_unended;
} bl_midi_output;

/* What was held at the end of a cable when the kernel was left without a graph. */
typedef struct bl_left_notes {
    const bl_node *destination; /* by its address alone; NULL for one of the rack's outputs */
    uint32_t destination_cable;
    bl_held_notes held;
} bl_left_notes;

/* More ends of cables with notes on them are not remembered. */
#define BL_MOST_LEFT_NOTES 128

/* A graph's MIDI cables. */
typedef struct bl_midi_wiring {
    uint32_t cable_count;
    bl_lowered_midi_cable *cables; /* in order of their ends, the rack's inputs first */
    uint32_t input_cable_count;    /* those of the rack's inputs */
    uint32_t output_count;
    bl_midi_output *outputs;
    uint32_t input_count;
    bl_midi_activity *inputs; /* [render] */

    struct bl_kernel *kernel; /* that plays the graph [render] */
    uint32_t frames;          /* of the cycle under way [render] */
    bool has_lost_end;        /* some cable has, or some output [render] */
} bl_midi_wiring;

/* Memory for the messages of one cycle. */
typedef struct bl_midi_memory {
    bl_event *events;
    uint32_t event_count, event_capacity;
    uint8_t *bytes; /* of system exclusive */
    uint32_t byte_count, byte_capacity;
    bl_left_notes left[BL_MOST_LEFT_NOTES]; /* until there is a graph again */
    uint32_t left_count;
} bl_midi_memory;

/* False when memory is short. [control] */
bool bl_midi_memory_allocate(bl_midi_memory *memory, uint32_t event_capacity);
void bl_midi_memory_free(bl_midi_memory *memory);

/* Lowers the cables whose ends are rendered, once the order is settled; memory that is short shows
   in the graph's arena. [control] */
void bl_graph_lower_midi_cables(bl_graph *graph, const bl_graph_description *description);

/* Frames from the rack's inputs to the latest MIDI that comes to a node. [control] */
uint32_t bl_graph_midi_arrival(const bl_graph *graph, const bl_node *node);

/* Goes on with the notes of the cables that `old` has as well, and ends those of the cables that
   are gone where the unit that played them is still there. Where no graph comes, all notes end once
   one does: what ends them meanwhile is heard by nobody. [render] */
void bl_midi_take_over(struct bl_kernel *kernel, bl_graph *old) BL_NONBLOCKING;

/* Begins a cycle: ends the notes whose ends were lost. [render] */
void bl_midi_begin_cycle(bl_graph *graph, uint32_t frames) BL_NONBLOCKING;

/* Sends what came in by one of the rack's MIDI inputs; its bytes must last for the cycle. [render]
 */
void bl_midi_send_input(bl_graph *graph, uint32_t port, const bl_event *event) BL_NONBLOCKING;

/* Before a node that sends is rendered: lets MIDI past it while it is bypassed, and ends its notes
   when that begins or ends. [render] */
void bl_midi_begin_turn(bl_graph *graph, struct bl_lowered_node *node) BL_NONBLOCKING;

/* A unit's send_midi, by the rules of bl_render_host. [render] */
bl_status bl_midi_send(bl_graph *graph, struct bl_lowered_node *node, int64_t sample_time,
                       uint8_t cable, uint32_t length, const uint8_t *bytes) BL_NONBLOCKING;

/* Ends every note that a cable has begun, also one that the graph has no more, at a time in this
   cycle. [render] */
void bl_midi_release_cable(bl_graph *graph, bl_lowered_midi_cable *cable,
                           int64_t time) BL_NONBLOCKING;

/* Ends every note that has come to a node, at a time in this cycle. [render] */
void bl_midi_release_received(bl_graph *graph, const bl_node *node, int64_t time) BL_NONBLOCKING;

/* Ends every note that came by one of the rack's MIDI inputs. [render] */
void bl_midi_release_input(bl_graph *graph, uint32_t port) BL_NONBLOCKING;

/* Ends every note, held or unknown, wherever a cable leads, at a time in this cycle. [render] */
void bl_midi_panic(bl_graph *graph, int64_t time) BL_NONBLOCKING;

/* Ends every note that a node has begun. [render] */
void bl_midi_release(bl_graph *graph, struct bl_lowered_node *node) BL_NONBLOCKING;

/* Hands over what goes to the rack's MIDI outputs and forgets the cycle's messages. [render] */
void bl_midi_end_cycle(bl_graph *graph, const bl_cycle *cycle, uint32_t offset) BL_NONBLOCKING;

#endif
