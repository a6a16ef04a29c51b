/* MIDI cables: from the rack's MIDI inputs and the units that send, to units and the rack's MIDI
   outputs, within the cycle. */
#pragma once

#include <stdbool.h>

#include "events/midi_cable.h"
#include "receiver.h"

struct bl_event_source;
struct bl_event_plan_description;

/* The notes that are held on a cable, and the pedals that are down. */
typedef struct bl_held_notes {
    uint64_t notes[16][2]; /* for each channel, a bit for each note */
    uint64_t pedals;       /* a bit for each channel: sustain, then sostenuto */
} bl_held_notes;

/* The end of all notes of a cable. */
typedef struct bl_midi_end {
    int64_t time;
    bool is_panic; /* of notes, too, that nobody knows of */
} bl_midi_end;

/* An end that a cable of a unit comes to when the unit has rendered so far. */
typedef struct bl_later_end {
    uint32_t frame; /* of the stretch */
    bool is_panic;  /* as above */
    bool is_passed; /* from it on, MIDI goes past the unit */
} bl_later_end;

/* Ends of a cable at different frames of one stretch; of more, the last ones are one. */
#define BL_MOST_ENDS 16

typedef struct bl_lowered_midi_cable {
    bl_receiver *source;        /* NULL for the rack */
    uint32_t source_cable;      /* of the unit, or the rack's MIDI input */
    bl_receiver *destination;   /* NULL for the rack */
    uint32_t destination_cable; /* of the unit, or the rack's MIDI output */
    uint16_t channels;          /* as in bl_midi_cable, and so the next two */
    uint8_t lowest_note, note_count;

    /* The rest is the render thread's. */
    bl_held_notes held;
    bl_event *last_sent; /* in the stretch below */
    uint64_t stretch;
    /* Ends of all its notes in this stretch, and how many of them its sender has come to. */
    uint32_t end_count, ended;
    bl_later_end ends[BL_MOST_ENDS];
    bool is_passed;              /* MIDI goes past the unit, which is bypassed */
    const bl_event *next_passed; /* of those that the unit has received in this stretch */
} bl_lowered_midi_cable;

/* The cables that a unit sends by, which are adjacent in the plan. */
typedef struct bl_midi_sender {
    uint32_t cable_count;
    bl_lowered_midi_cable *cables;
} bl_midi_sender;

/* Notes at an end of cables that could not be told of their ends: no output pulls the unit, there
   is no plan, or there was no room. */
typedef struct bl_remembered_notes {
    const bl_receiver *destination; /* to compare, never to follow; NULL for a rack output */
    uint32_t destination_cable;
    bl_held_notes held;
    bool is_panic; /* see bl_midi_end */
} bl_remembered_notes;

/* Ends of cables whose notes are remembered. */
#define BL_MOST_REMEMBERED 128

/* A plan's MIDI cables. */
typedef struct bl_midi_wiring {
    uint32_t cable_count;
    bl_lowered_midi_cable *cables; /* in order of their ends, the rack's inputs first */
    uint32_t input_cable_count;    /* cables of the rack's inputs */
    uint32_t output_count;
    bl_event_list *outputs; /* the events of the rack's MIDI outputs in this stretch */
} bl_midi_wiring;

/* Memory for the messages of one stretch. */
typedef struct bl_midi_memory {
    bl_event *events;
    uint32_t event_count, event_capacity;
    uint8_t *bytes; /* of system exclusive */
    uint32_t byte_count;
    bl_remembered_notes remembered[BL_MOST_REMEMBERED];
    uint32_t remembered_count;
    bool owes_ends; /* ends of notes had no room */
} bl_midi_memory;

/* The arena has failed when memory is short. [control] */
void bl_midi_memory_allocate(bl_midi_memory *memory, bl_arena *arena, uint32_t event_capacity);

/* Additional room for the ends of notes: enough for all notes of one cable. */
#define BL_MIDI_RELEASE_ROOM (16 * 128 + 2 * 16)

/* Carries a copy of an event along a cable, at its time or, if that has passed, as early as
   possible. False when the stretch's memory has more than `room` events. [render] */
bool bl_midi_carry(struct bl_event_source *source, bl_lowered_midi_cable *cable,
                   const bl_event *event, uint32_t room) BL_NONBLOCKING;

/* An order of cables that is the same in two plans: by their ends, the rack's first, then by what
   they admit. [any] */
int bl_midi_compare_cables(const bl_lowered_midi_cable *one,
                           const bl_lowered_midi_cable *other) BL_NONBLOCKING;

/* The cables of a unit in the plan. [control] */
bl_midi_sender bl_midi_sender_of(const bl_midi_wiring *wiring, const bl_receiver *receiver);

/* Marks the note or pedal of the event as held or not; whether it was. [render] */
bool bl_midi_hold(bl_held_notes *held, const bl_event *event, bool is_held) BL_NONBLOCKING;

/* Remembers a note or pedal whose end has no room; false when too many are remembered. [render] */
bool bl_midi_remember_end(bl_midi_memory *memory, const bl_receiver *destination,
                          uint32_t destination_cable, const bl_event *event) BL_NONBLOCKING;

/* Remembers the notes and pedals that these events, which are dropped, would have ended; their
   destination is NULL for a rack output. [render] */
void bl_midi_remember_ends(bl_midi_memory *memory, const bl_receiver *destination,
                           const bl_event_list *events) BL_NONBLOCKING;

/* Ends remembered notes at ends of cables that are rendered again; forgets those of units that are
   gone. [render] */
void bl_midi_end_remembered(struct bl_event_source *source) BL_NONBLOCKING;

/* Keeps the notes of cables that `old` has as well, and ends the others, or remembers them.
   [render] */
void bl_midi_set_wiring(struct bl_event_source *source, bl_midi_wiring *old) BL_NONBLOCKING;

/* Sends a message of a MIDI input of the rack; its bytes must last for the stretch. [render] */
void bl_midi_send_input(struct bl_event_source *source, uint32_t port,
                        const bl_event *event) BL_NONBLOCKING;

/* Has another stretch end the note that this message, which is lost, ends. [render] */
void bl_midi_lose_input(struct bl_event_source *source, uint32_t port,
                        const bl_event *event) BL_NONBLOCKING;

/* Begins a unit's sending in this stretch, before it is rendered, once its events are complete.
   [render] */
void bl_midi_start_sending(struct bl_event_source *source,
                           const bl_midi_sender *sender) BL_NONBLOCKING;

/* Whether the cable's channels and keys admit the event. [render] */
bool bl_midi_admits(const bl_lowered_midi_cable *cable, const bl_event *event) BL_NONBLOCKING;

/* Passes on what a unit receives before a time, where it is bypassed: by the cable of its number,
   or its last. [render] */
void bl_midi_pass_until(struct bl_event_source *source, bl_lowered_midi_cable *cable,
                        int64_t time) BL_NONBLOCKING;

/* Ends every note of a unit's cable when the unit has come to the time in this stretch, and has
   MIDI pass or no longer by the unit's bypass. [render] */
void bl_midi_end_later(const struct bl_event_source *source, bl_lowered_midi_cable *cable,
                       bl_midi_end end) BL_NONBLOCKING;

/* A unit's send_midi, by the rules of bl_render_host. [render] */
bl_status bl_midi_send(struct bl_event_source *source, const bl_midi_sender *sender,
                       int64_t sample_time, uint8_t cable, uint32_t length,
                       const uint8_t *bytes) BL_NONBLOCKING;

/* A unit has come to a time in its stretch: ends the notes of its cable by then, and passes MIDI
   on. With INT64_MAX, its stretch is over. [render] */
void bl_midi_end_until(struct bl_event_source *source, bl_lowered_midi_cable *cable,
                       int64_t time) BL_NONBLOCKING;

/* Ends every note that a unit has received, or (NULL) all units and outputs, at a time in this
   stretch: those that units send after these have rendered. [render] */
void bl_midi_end_received(struct bl_event_source *source, const bl_receiver *receiver,
                          bl_midi_end end) BL_NONBLOCKING;

/* Ends every note from one of the rack's MIDI inputs. [render] */
void bl_midi_release_input(struct bl_event_source *source, uint32_t port) BL_NONBLOCKING;

/* Ends a unit's sending in this stretch, after it has rendered. [render] */
void bl_midi_end_sending(struct bl_event_source *source,
                         const bl_midi_sender *sender) BL_NONBLOCKING;

/* Ends every note on a cable, at once; of a panic, those too that are not held. [render] */
void bl_midi_end_cable(struct bl_event_source *source, bl_lowered_midi_cable *cable,
                       bl_midi_end end) BL_NONBLOCKING;

/* Ends every note that a unit has sent. [render] */
void bl_midi_release_sent(struct bl_event_source *source,
                          const bl_midi_sender *sender) BL_NONBLOCKING;

/* Sends a message to the host; false when it has no room. [render] */
typedef bool (*bl_midi_out)(void *context, const bl_midi_message *message) BL_NONBLOCKING;

/* Sends the events of the rack's MIDI outputs to the host, from `offset` frames into the cycle on,
   and clears the stretch's messages; without `send` they are dropped. [render] */
void bl_midi_end_stretch(struct bl_event_source *source, bl_midi_out send, void *context,
                         uint32_t offset) BL_NONBLOCKING;
