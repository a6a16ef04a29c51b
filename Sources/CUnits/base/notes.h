/* The notes that a MIDI processor has sent or is going to send, and which key holds each: every
   note that has begun ends, whatever is set meanwhile, and none begins again before it has ended.
   Keys that share a note hold it together: it begins anew with each, and ends with the last. */
#pragma once

#include "base/held_keys.h"
#include "base/midi_processor.h"

/* Of more, the oldest that has not begun is dropped, or else the oldest ends. */
#define BL_MOST_NOTES 256
/* The end of a note whose key is down. */
#define BL_NOTE_HELD INT64_MAX
/* Stands for all channels. */
#define BL_ALL_CHANNELS 16

typedef struct bl_note {
    int64_t start; /* sample time */
    int64_t end;   /* sample time, or BL_NOTE_HELD */
    int64_t after; /* frames from its key's end to its own: 0, or those from its key to its start */
    uint8_t key_channel, key;
    uint8_t channel, note, velocity; /* as they are sent */
    bool sounds;                     /* it has been sent */
} bl_note;

/* All zero has no notes. */
typedef struct bl_notes {
    bl_note notes[BL_MOST_NOTES]; /* the oldest first */
    uint32_t count;
    int64_t position; /* sample time up to which all has been played */
} bl_notes;

/* Adds a note, and sends it if it has started by now. [render] */
void bl_notes_add(bl_notes *notes, const bl_io *io, int64_t now, bl_note note) BL_NONBLOCKING;

/* Sends a note now, as hard as the key that holds it was struck. [render] */
void bl_notes_begin(bl_notes *notes, const bl_io *io, int64_t now, bl_held_key key, uint8_t channel,
                    uint8_t note) BL_NONBLOCKING;

/* Ends a key's notes, each in its time; what would end before its start is dropped. [render] */
void bl_notes_release(bl_notes *notes, const bl_io *io, int64_t now, uint8_t key_channel,
                      uint8_t key, uint8_t velocity) BL_NONBLOCKING;

/* Ends every note of the keys of a channel, or of all, and drops those to come. [render] */
void bl_notes_end(bl_notes *notes, const bl_io *io, int64_t now,
                  uint8_t key_channel) BL_NONBLOCKING;

/* Sends what starts and ends from `first` up to `end`, in sample time; ends all where the host has
   gone back in time. [render] */
void bl_notes_play(bl_notes *notes, const bl_io *io, int64_t first, int64_t end) BL_NONBLOCKING;

/* Handles all messages but those that begin notes: ends notes and changes their pressure, where a
   key or its channel ends; passes the rest. [render] */
void bl_notes_receive(bl_notes *notes, const bl_io *io, int64_t now,
                      const bl_midi_event *message) BL_NONBLOCKING;

/* Frames from the present to the last end that is known. [render or idle] */
int64_t bl_notes_remaining(const bl_notes *notes) BL_NONBLOCKING;

/* The first part of a processor that sends by its notes, and functions of its kit. */
typedef struct bl_notes_unit {
    bl_unit_base base;
    bl_notes notes;
} bl_notes_unit;

/* Plays the notes that are due. [render] */
void bl_notes_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING;
/* Forgets all notes. [render or idle] */
void bl_notes_reset(bl_unit *unit) BL_NONBLOCKING;

/* A note number, if there is such a note. [render] */
static inline bool bl_is_note(int32_t note) BL_NONBLOCKING { return note >= 0 && note < 128; }
