/* MIDI cables: from the rack's MIDI inputs and the units that send, to units and the rack's MIDI
   outputs, within the cycle. */
#ifndef BACKLINE_EVENTS_MIDI_CABLES_H
#define BACKLINE_EVENTS_MIDI_CABLES_H

#include <stdbool.h>

#include "events/midi_cable.h"
#include "receiver.h"

struct bl_event_source;
struct bl_event_plan_description;

/* The notes that are held on a cable, and the pedals that are down. */
typedef struct bl_held_notes {
    uint64_t notes[16][2]; /* for each channel, a bit for each note */
    uint32_t pedals;       /* a bit for each channel: sustain, then sostenuto */
} bl_held_notes;

typedef struct bl_lowered_midi_cable {
    bl_receiver *source;        /* NULL for the rack */
    uint32_t source_cable;      /* of the unit, or the rack's MIDI input */
    bl_receiver *destination;   /* NULL for the rack */
    uint32_t destination_cable; /* of the unit, or the rack's MIDI output */
    uint16_t channels;          /* as in bl_midi_cable, and so the next two */
    uint8_t lowest_note, note_count;

    /* The rest is the render thread's. */
    bl_held_notes held;
    bool has_lost_end;   /* there was no room for the end of a note */
    bl_event *last_sent; /* in the stretch below */
    uint64_t stretch;
} bl_lowered_midi_cable;

/* A unit that sends, and its cables, which are adjacent in the plan. */
typedef struct bl_midi_sender {
    bl_receiver *receiver;
    uint32_t cable_count;
    bl_lowered_midi_cable *cables;
} bl_midi_sender;

/* Events for one of the rack's MIDI outputs in this stretch. */
typedef struct bl_midi_output {
    bl_event_list events;
    bl_held_notes pending_note_offs; /* notes and pedals whose ends the host had no room for */
    bool has_pending_note_offs;
} bl_midi_output;

/* Notes held at the end of a cable when the source lost its plan. */
typedef struct bl_remembered_notes {
    const bl_receiver *destination; /* to compare, never to follow; NULL for a rack output */
    uint32_t destination_cable;
    bl_held_notes held;
} bl_remembered_notes;

/* Ends of cables with held notes that are remembered. */
#define BL_MOST_REMEMBERED 128

/* A plan's MIDI cables. */
typedef struct bl_midi_wiring {
    uint32_t cable_count;
    bl_lowered_midi_cable *cables; /* in order of their ends, the rack's inputs first */
    uint32_t input_cable_count;    /* cables of the rack's inputs */
    uint32_t output_count;
    bl_midi_output *outputs;
    bool has_lost_end; /* of some cable, or has_pending_note_offs of some output [render] */
} bl_midi_wiring;

/* Memory for the messages of one stretch. */
typedef struct bl_midi_memory {
    bl_event *events;
    uint32_t event_count, event_capacity;
    uint8_t *bytes; /* of system exclusive */
    uint32_t byte_count, byte_capacity;
    bl_remembered_notes remembered[BL_MOST_REMEMBERED]; /* until there is a plan again */
    uint32_t remembered_count;
} bl_midi_memory;

/* The arena has failed when memory is short. [control] */
void bl_midi_memory_allocate(bl_midi_memory *memory, bl_arena *arena, uint32_t event_capacity);

/* Additional room for the ends of notes: enough for all notes of one cable. */
#define BL_MIDI_RELEASE_ROOM (16 * 128 + 2 * 16)

/* Carries a copy of an event along a cable, at its time or, if that has passed, as early as
   possible. False when the stretch's memory has more than `room` events. [render] */
bool bl_midi_carry(struct bl_event_source *source, bl_lowered_midi_cable *cable,
                   const bl_event *event, uint32_t room) BL_NONBLOCKING;

/* The cables of a unit in the plan. [control] */
bl_midi_sender bl_midi_sender_of(const bl_midi_wiring *wiring, bl_receiver *receiver);

/* Keeps the notes of cables that `old` has as well, and ends those of removed cables whose unit is
   still in the plan. When the source has no plan, all notes end once the next plan takes over.
   [render] */
void bl_midi_take_over(struct bl_event_source *source, bl_midi_wiring *old) BL_NONBLOCKING;

/* Ends the notes whose ends were lost. [render] */
void bl_midi_end_lost(struct bl_event_source *source) BL_NONBLOCKING;

/* Sends a message of one of the rack's MIDI inputs; its bytes must last for the stretch. [render]
 */
void bl_midi_send_input(struct bl_event_source *source, uint32_t port,
                        const bl_event *event) BL_NONBLOCKING;

/* Has the notes of a MIDI input end in the next stretch, if this message, which is lost, ends one.
   [render] */
void bl_midi_lose_input(struct bl_event_source *source, uint32_t port,
                        const bl_event *event) BL_NONBLOCKING;

/* Before a unit that sends is rendered: passes MIDI on while it is bypassed, and ends its notes
   when its bypass changes. [render] */
void bl_midi_pass_by(struct bl_event_source *source, const bl_midi_sender *sender) BL_NONBLOCKING;

/* A unit's send_midi, by the rules of bl_render_host. [render] */
bl_status bl_midi_send(struct bl_event_source *source, const bl_midi_sender *sender,
                       int64_t sample_time, uint8_t cable, uint32_t length,
                       const uint8_t *bytes) BL_NONBLOCKING;

/* Ends every note that is held on a cable, also a cable of a former plan, at a time in this
   stretch. [render] */
void bl_midi_release_cable(struct bl_event_source *source, bl_lowered_midi_cable *cable,
                           int64_t time) BL_NONBLOCKING;

/* Ends every note that a unit has received, at a time in this stretch. [render] */
void bl_midi_release_received(struct bl_event_source *source, const bl_receiver *receiver,
                              int64_t time) BL_NONBLOCKING;

/* Ends every note from one of the rack's MIDI inputs. [render] */
void bl_midi_release_input(struct bl_event_source *source, uint32_t port) BL_NONBLOCKING;

/* Ends every note at the end of every cable, held notes and others, at a time in this stretch.
   [render] */
void bl_midi_panic(struct bl_event_source *source, int64_t time) BL_NONBLOCKING;

/* Ends every note that a unit has sent. [render] */
void bl_midi_release_sent(struct bl_event_source *source,
                          const bl_midi_sender *sender) BL_NONBLOCKING;

/* Sends a message to the host; false when it has no room. [render] */
typedef bool (*bl_midi_out)(void *context, const bl_midi_message *message) BL_NONBLOCKING;

/* Sends the events of the rack's MIDI outputs to the host, from `offset` frames into the cycle on,
   and clears the stretch's messages; without `send` they are dropped. [render] */
void bl_midi_end_stretch(struct bl_event_source *source, bl_midi_out send, void *context,
                         uint32_t offset) BL_NONBLOCKING;

#endif
