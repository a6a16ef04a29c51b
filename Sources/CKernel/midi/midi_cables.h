/* MIDI cables: from the rack's MIDI inputs and the units that send, to units and the rack's MIDI
   outputs, within the cycle. */
#ifndef BACKLINE_KERNEL_MIDI_CABLES_H
#define BACKLINE_KERNEL_MIDI_CABLES_H

#include <stdbool.h>

#include "backline/arena.h"
#include "kernel/kernel.h"
#include "kernel/telemetry.h"

struct bl_kernel;
struct bl_lowered_node;

/* The notes that are held on a cable, and the pedals that are down. */
typedef struct bl_held_notes {
    uint64_t notes[16][2]; /* for each channel, a bit for each note */
    uint32_t pedals;       /* a bit for each channel: sustain, then sostenuto */
} bl_held_notes;

typedef struct bl_lowered_midi_cable {
    bl_node *source;            /* NULL for the rack */
    uint32_t source_cable;      /* of the node, or the rack's MIDI input */
    bl_node *destination;       /* NULL for the rack */
    uint32_t destination_cable; /* of the node, or the rack's MIDI output */
    uint16_t channels;          /* as in bl_midi_cable, and so the next two */
    uint8_t lowest_note, note_count;
    struct bl_lowered_node *from; /* the source in this graph; NULL for the rack */

    /* The rest is the render thread's. */
    bl_held_notes held;
    bool has_lost_end;   /* there was no room for the end of a note */
    bl_event *last_sent; /* in the stretch below */
    uint64_t stretch;
} bl_lowered_midi_cable;

/* Events for one of the rack's MIDI outputs in this cycle, in order of time. */
typedef struct bl_midi_output {
    bl_event *first, *last;
    bl_held_notes unended; /* notes and pedals whose ends the host had no room for */
    bool has_unended;
} bl_midi_output;

/* Notes held at the end of a cable when the kernel lost its graph. */
typedef struct bl_remembered_notes {
    const bl_node *destination; /* to compare, never to follow; NULL for a rack output */
    uint32_t destination_cable;
    bl_held_notes held;
} bl_remembered_notes;

/* Ends of cables with held notes that are remembered. */
#define BL_MOST_REMEMBERED 128

/* A graph's MIDI cables. */
typedef struct bl_midi_wiring {
    uint32_t cable_count;
    bl_lowered_midi_cable *cables; /* in order of their ends, the rack's inputs first */
    uint32_t input_cable_count;    /* cables of the rack's inputs */
    uint32_t output_count;
    bl_midi_output *outputs;
    uint32_t input_count;
    bl_midi_telemetry *inputs; /* [render] */

    struct bl_kernel *kernel; /* that plays the graph [render] */
    uint32_t frames;          /* of the cycle under way [render] */
    bool has_lost_end;        /* of some cable, or has_unended of some output [render] */
} bl_midi_wiring;

/* Memory for the messages of one cycle. */
typedef struct bl_midi_memory {
    bl_event *events;
    uint32_t event_count, event_capacity;
    uint8_t *bytes; /* of system exclusive */
    uint32_t byte_count, byte_capacity;
    bl_remembered_notes remembered[BL_MOST_REMEMBERED]; /* until there is a graph again */
    uint32_t remembered_count;
} bl_midi_memory;

/* The arena has failed when memory is short. [control] */
void bl_midi_memory_allocate(bl_midi_memory *memory, bl_arena *arena, uint32_t event_capacity);

/* Lowers the cables whose ends are rendered, once the nodes are ordered. [control] */
void bl_graph_lower_midi_cables(bl_graph *graph, const bl_graph_description *description);

/* Frames from the rack's inputs to the latest MIDI at a node. [control] */
uint32_t bl_graph_midi_arrival(const bl_graph *graph, const bl_node *node);

/* Keeps the notes of cables that `old` has as well, and ends those of removed cables whose unit is
   still in the graph. When the kernel has no graph, all notes end once the next graph takes over.
   [render] */
void bl_midi_take_over(struct bl_kernel *kernel, bl_graph *old) BL_NONBLOCKING;

/* Starts a cycle: ends the notes whose ends were lost. [render] */
void bl_midi_start_cycle(bl_graph *graph, uint32_t frames) BL_NONBLOCKING;

/* Sends a message of one of the rack's MIDI inputs; its bytes must last for the cycle. [render] */
void bl_midi_send_input(bl_graph *graph, uint32_t port, const bl_event *event) BL_NONBLOCKING;

/* Has the notes of a MIDI input end in the next cycle, if this message, which is lost, ends one.
   [render] */
void bl_midi_lose_input(bl_graph *graph, uint32_t port, const bl_event *event) BL_NONBLOCKING;

/* Before a node that sends is rendered: passes MIDI on while the node is bypassed, and ends its
   notes when its bypass changes. [render] */
void bl_midi_prepare_node(bl_graph *graph, struct bl_lowered_node *node) BL_NONBLOCKING;

/* A unit's send_midi, by the rules of bl_render_host. [render] */
bl_status bl_midi_send(bl_graph *graph, struct bl_lowered_node *node, int64_t sample_time,
                       uint8_t cable, uint32_t length, const uint8_t *bytes) BL_NONBLOCKING;

/* Ends every note that is held on a cable, also a cable of a former graph, at a time in this cycle.
   [render] */
void bl_midi_release_cable(bl_graph *graph, bl_lowered_midi_cable *cable,
                           int64_t time) BL_NONBLOCKING;

/* Ends every note that a node has received, at a time in this cycle. [render] */
void bl_midi_release_received(bl_graph *graph, const bl_node *node, int64_t time) BL_NONBLOCKING;

/* Ends every note from one of the rack's MIDI inputs. [render] */
void bl_midi_release_input(bl_graph *graph, uint32_t port) BL_NONBLOCKING;

/* Ends every note at the end of every cable, held notes and others, at a time in this cycle.
   [render] */
void bl_midi_panic(bl_graph *graph, int64_t time) BL_NONBLOCKING;

/* Ends every note that a node has sent. [render] */
void bl_midi_release(bl_graph *graph, struct bl_lowered_node *node) BL_NONBLOCKING;

/* Sends the events of the rack's MIDI outputs to the host and clears the cycle's messages. [render]
 */
void bl_midi_end_cycle(bl_graph *graph, const bl_cycle *cycle, uint32_t offset) BL_NONBLOCKING;

#endif
