/* MIDI cables carry messages from the rack's MIDI inputs and the units that send, to units and the
   rack's MIDI outputs, within the cycle. */
#pragma once

#include <stdbool.h>

#include "events/midi_cable.h"
#include "receiver.h"

struct bl_event_source;
struct bl_event_plan_description;

/* The notes that are held on a cable, and the pedals that are down. */
typedef struct bl_held_notes {
    uint64_t notes[16][2]; /* a bit per note of each channel */
    uint64_t pedals;       /* a bit for each channel: sustain, then sostenuto */
} bl_held_notes;

/* The end of all notes of a cable. */
typedef struct bl_midi_end {
    int64_t time;
    bool is_panic; /* includes notes that are not known to be held */
} bl_midi_end;

/* The end of all notes of a unit's cable, due when the unit has rendered up to its frame. */
typedef struct bl_later_end {
    uint32_t frame; /* frame in the stretch */
    bool is_panic;  /* see bl_midi_end */
    bool is_passed; /* MIDI bypasses the unit from then on */
} bl_later_end;

/* The most ends of a cable at different frames of one stretch; further ones replace the last. */
#define BL_MOST_ENDS 16

typedef struct bl_lowered_midi_cable {
    bl_receiver *source;        /* NULL for the rack */
    uint32_t source_cable;      /* cable of the unit, or MIDI input of the rack */
    bl_receiver *destination;   /* NULL for the rack */
    uint32_t destination_cable; /* cable of the unit, or MIDI output of the rack */
    uint16_t channels;          /* see bl_midi_cable, also for the next two */
    uint8_t lowest_note, note_count;

    /* The render thread's fields. */
    bl_held_notes held;
    bl_event *last_sent; /* in the stretch with the number below */
    uint64_t stretch;
    /* Counts of the ends of all its notes in this stretch, and of those that its sender has
       reached. */
    uint32_t end_count, ended;
    bl_later_end ends[BL_MOST_ENDS];
    bool is_passed;              /* MIDI bypasses the unit */
    const bl_event *next_passed; /* the unit's next received event */
} bl_lowered_midi_cable;

/* The output cables of a unit, adjacent in the plan. */
typedef struct bl_midi_sender {
    uint32_t cable_count;
    bl_lowered_midi_cable *cables;
} bl_midi_sender;

/* Held notes at a destination whose ends could not be delivered: no output pulls the unit, there is
   no plan, or there was no room. */
typedef struct bl_remembered_notes {
    const bl_receiver *destination; /* for comparison, never dereferenced; NULL for a rack output */
    uint32_t destination_cable;
    bl_held_notes held;
    bool is_panic; /* see bl_midi_end */
} bl_remembered_notes;

/* The most destinations whose notes are remembered. */
#define BL_MOST_REMEMBERED 128

/* A plan's MIDI cables. */
typedef struct bl_midi_wiring {
    uint32_t cable_count;
    bl_lowered_midi_cable *cables; /* by destination, the rack's inputs first */
    uint32_t input_cable_count;    /* cables from the rack's inputs */
    uint32_t output_count;
    bl_event_list *outputs; /* the events of the rack's MIDI outputs in this stretch */
} bl_midi_wiring;

/* Memory for the messages of one stretch. */
typedef struct bl_midi_memory {
    bl_event *events;
    uint32_t event_count, event_capacity;
    uint8_t *bytes; /* bytes of system exclusive messages */
    uint32_t byte_count;
    bl_remembered_notes remembered[BL_MOST_REMEMBERED];
    uint32_t remembered_count;
    bool owes_ends; /* ends of notes had no room */
} bl_midi_memory;

/* Allocates the memory; if memory is short the arena has failed. [control] */
void bl_midi_memory_allocate(bl_midi_memory *memory, bl_arena *arena, uint32_t event_capacity);

/* Extra room for the ends of notes: enough for all notes of one cable. */
#define BL_MIDI_RELEASE_ROOM (16 * 128 + 2 * 16)

/* Carries a copy of an event along a cable, at its time or, if that has passed, as early as
   possible. False if the stretch's memory has more than `room` events. [render] */
bool bl_midi_carry(struct bl_event_source *source, bl_lowered_midi_cable *cable,
                   const bl_event *event, uint32_t room) BL_NONBLOCKING;

/* Compares cables in an order that two plans share: by their ends, the rack's first, then by their
   channels and keys. [any] */
int bl_midi_compare_cables(const bl_lowered_midi_cable *one,
                           const bl_lowered_midi_cable *other) BL_NONBLOCKING;

/* The cables of a unit in the plan. [control] */
bl_midi_sender bl_midi_sender_of(const bl_midi_wiring *wiring, const bl_receiver *receiver);

/* Marks the event's note or pedal as held or released; returns whether it was held. [render] */
bool bl_midi_hold(bl_held_notes *held, const bl_event *event, bool is_held) BL_NONBLOCKING;

/* Remembers a note or pedal whose end has no room; false when too many are remembered. [render] */
bool bl_midi_remember_end(bl_midi_memory *memory, const bl_receiver *destination,
                          uint32_t destination_cable, const bl_event *event) BL_NONBLOCKING;

/* Remembers the notes and pedals that these dropped events would have ended; `destination` is NULL
   for a rack output. [render] */
void bl_midi_remember_ends(bl_midi_memory *memory, const bl_receiver *destination,
                           const bl_event_list *events) BL_NONBLOCKING;

/* Ends remembered notes at destinations that are rendered again; forgets those of removed units.
   [render] */
void bl_midi_end_remembered(struct bl_event_source *source) BL_NONBLOCKING;

/* Keeps the notes of cables that `old` has, too, and ends or remembers the others. [render] */
void bl_midi_set_wiring(struct bl_event_source *source, bl_midi_wiring *old) BL_NONBLOCKING;

/* Sends a message from a MIDI input of the rack; its bytes must last for the stretch. [render] */
void bl_midi_send_input(struct bl_event_source *source, uint32_t port,
                        const bl_event *event) BL_NONBLOCKING;

/* Lets a later stretch end the note that this lost message would have ended. [render] */
void bl_midi_lose_input(struct bl_event_source *source, uint32_t port,
                        const bl_event *event) BL_NONBLOCKING;

/* Starts a unit's output in this stretch, before it renders, once its events are complete.
   [render] */
void bl_midi_start_sending(struct bl_event_source *source,
                           const bl_midi_sender *sender) BL_NONBLOCKING;

/* Whether the event passes the cable's filter of channels and keys. [render] */
bool bl_midi_admits(const bl_lowered_midi_cable *cable, const bl_event *event) BL_NONBLOCKING;

/* Forwards what a bypassed unit receives before a time to its output cable of the same number, or
   its last. [render] */
void bl_midi_pass_until(struct bl_event_source *source, bl_lowered_midi_cable *cable,
                        int64_t time) BL_NONBLOCKING;

/* Ends every note of a unit's output cable when the unit reaches the time in this stretch, and
   starts or stops forwarding MIDI past the unit, by its bypass. [render] */
void bl_midi_end_later(const struct bl_event_source *source, bl_lowered_midi_cable *cable,
                       bl_midi_end end) BL_NONBLOCKING;

/* A unit's send_midi, with the rules of bl_render_host. [render] */
bl_status bl_midi_send(struct bl_event_source *source, const bl_midi_sender *sender,
                       int64_t sample_time, uint8_t cable, uint32_t length,
                       const uint8_t *bytes) BL_NONBLOCKING;

/* Ends the notes of a unit's cable that are due by a time that the unit has reached, and forwards
   MIDI up to it. INT64_MAX: the unit has finished the stretch. [render] */
void bl_midi_end_until(struct bl_event_source *source, bl_lowered_midi_cable *cable,
                       int64_t time) BL_NONBLOCKING;

/* Ends every note that a unit, or (NULL) all units and outputs have received, at a time in this
   stretch; notes that units send are ended after these have rendered. [render] */
void bl_midi_end_received(struct bl_event_source *source, const bl_receiver *receiver,
                          bl_midi_end end) BL_NONBLOCKING;

/* Ends every note from one of the rack's MIDI inputs. [render] */
void bl_midi_release_input(struct bl_event_source *source, uint32_t port) BL_NONBLOCKING;

/* Ends a unit's output in this stretch, after it has rendered. [render] */
void bl_midi_end_sending(struct bl_event_source *source,
                         const bl_midi_sender *sender) BL_NONBLOCKING;

/* Ends every note on a cable at once; with a panic, also those not known to be held. [render] */
void bl_midi_end_cable(struct bl_event_source *source, bl_lowered_midi_cable *cable,
                       bl_midi_end end) BL_NONBLOCKING;

/* Ends every note that a unit has sent. [render] */
void bl_midi_release_sent(struct bl_event_source *source,
                          const bl_midi_sender *sender) BL_NONBLOCKING;

/* Sends a message to the host; false when it has no room. [render] */
typedef bool (*bl_midi_out)(void *context, const bl_midi_message *message) BL_NONBLOCKING;

/* Sends the events of the rack's MIDI outputs to the host, at `offset` frames into the cycle, and
   clears the stretch's messages; without `send` they are dropped. [render] */
void bl_midi_end_stretch(struct bl_event_source *source, bl_midi_out send, void *context,
                         uint32_t offset) BL_NONBLOCKING;
