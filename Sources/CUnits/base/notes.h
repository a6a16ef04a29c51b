/* The notes that a MIDI processor has sent or will send, and the key that holds each. Every note
   that has started ends, even if settings change meanwhile, and none starts again before it has
   ended. Keys that share a note hold it together: it starts again with each, and ends with the
   last. */
#pragma once

#include "base/held_keys.h"
#include "base/midi_processor.h"

/* The most notes. Beyond it, the oldest that has not started is dropped, or else the oldest
   ends. */
#define BL_MOST_NOTES 256
/* The end of a note whose key is down. */
#define BL_NOTE_HELD INT64_MAX
/* A channel number that means all channels. */
#define BL_ALL_CHANNELS 16

typedef struct bl_note {
    int64_t start; /* sample time */
    int64_t end;   /* sample time, or BL_NOTE_HELD */
    int64_t after; /* frames from its key's end to its own: 0, or from its key to its start */
    uint8_t key_channel, key;
    uint8_t channel, note, velocity; /* as sent */
    bool sounds;                     /* its start has been sent */
} bl_note;

/* A list of notes. All zero: empty. */
typedef struct bl_notes {
    bl_note notes[BL_MOST_NOTES]; /* oldest first */
    uint32_t count;
    int64_t position; /* sample time up to which notes have been played */
} bl_notes;

/* Adds a note, and sends it if it has started by now. [render] */
void bl_notes_add(bl_notes *notes, const bl_io *io, int64_t now, bl_note note) BL_NONBLOCKING;

/* Sends a note now, with the velocity of the key that holds it. [render] */
void bl_notes_begin(bl_notes *notes, const bl_io *io, int64_t now, bl_held_key key, uint8_t channel,
                    uint8_t note) BL_NONBLOCKING;

/* Ends a key's notes, each at its time; a note that would end before its start is dropped.
   [render] */
void bl_notes_release(bl_notes *notes, const bl_io *io, int64_t now, uint8_t key_channel,
                      uint8_t key, uint8_t velocity) BL_NONBLOCKING;

/* Ends every note of the keys of a channel, or of all, and drops pending ones. [render] */
void bl_notes_end(bl_notes *notes, const bl_io *io, int64_t now,
                  uint8_t key_channel) BL_NONBLOCKING;

/* Sends the starts and ends from `first` up to `end`, in sample time; ends all notes if the host
   has jumped back in time. [render] */
void bl_notes_play(bl_notes *notes, const bl_io *io, int64_t first, int64_t end) BL_NONBLOCKING;

/* Handles all messages except note-ons: ends notes and changes their pressure when a key or its
   channel does; passes on the rest. [render] */
void bl_notes_receive(bl_notes *notes, const bl_io *io, int64_t now,
                      const bl_midi_event *message) BL_NONBLOCKING;

/* Frames until the last known end of a note. [render or idle] */
int64_t bl_notes_remaining(const bl_notes *notes) BL_NONBLOCKING;

/* The first member of a processor that sends notes this way, and functions of its kit. */
typedef struct bl_notes_unit {
    bl_unit_base base;
    bl_notes notes;
} bl_notes_unit;

/* Plays the notes that are due. [render] */
void bl_notes_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING;
/* Drops all notes. [render or idle] */
void bl_notes_reset(bl_unit *unit) BL_NONBLOCKING;

/* Whether the number is a MIDI note. [render] */
static inline bool bl_is_note(int32_t note) BL_NONBLOCKING { return note >= 0 && note < 128; }
