#include "base/notes.h"

/* The release velocity of a note that no key ends. */
#define USUAL_RELEASE 64

static bool sounds_elsewhere(const bl_notes *notes, uint32_t index) BL_NONBLOCKING {
    const bl_note *note = &notes->notes[index];
    for (uint32_t other = 0; other < notes->count; other += 1) {
        const bl_note *sounding = &notes->notes[other];
        if (other != index && sounding->sounds && sounding->note == note->note &&
            sounding->channel == note->channel) {
            return true;
        }
    }
    return false;
}

static void send_end(const bl_io *io, int64_t time, const bl_note *note,
                     uint8_t velocity) BL_NONBLOCKING {
    bl_midi_processor_send(io, time, BL_NOTE_OFF | note->channel, note->note, velocity);
}

static void start(bl_notes *notes, const bl_io *io, int64_t time, uint32_t index) BL_NONBLOCKING {
    bl_note *note = &notes->notes[index];
    if (sounds_elsewhere(notes, index)) {
        send_end(io, time, note, USUAL_RELEASE);
    }
    bl_midi_processor_send(io, time, BL_NOTE_ON | note->channel, note->note, note->velocity);
    note->sounds = true;
}

/* Removes a note, and ends it unless another holds it as well. */
static void finish(bl_notes *notes, const bl_io *io, int64_t time, uint32_t index,
                   uint8_t velocity) BL_NONBLOCKING {
    if (notes->notes[index].sounds && !sounds_elsewhere(notes, index)) {
        send_end(io, time, &notes->notes[index], velocity);
    }
    notes->count -= 1;
    for (; index < notes->count; index += 1) {
        notes->notes[index] = notes->notes[index + 1];
    }
}

/* The index of the note that makes room for another. */
static uint32_t least_missed(const bl_notes *notes) BL_NONBLOCKING {
    for (uint32_t index = 0; index < notes->count; index += 1) {
        if (!notes->notes[index].sounds) {
            return index;
        }
    }
    return 0;
}

void bl_notes_add(bl_notes *notes, const bl_io *io, int64_t now, bl_note note) BL_NONBLOCKING {
    if (notes->count == BL_MOST_NOTES) {
        finish(notes, io, now, least_missed(notes), USUAL_RELEASE);
    }
    notes->notes[notes->count] = note;
    notes->count += 1;
    if (note.start <= now) {
        start(notes, io, now, notes->count - 1);
    }
}

void bl_notes_begin(bl_notes *notes, const bl_io *io, int64_t now, bl_held_key key, uint8_t channel,
                    uint8_t note) BL_NONBLOCKING {
    bl_notes_add(notes, io, now,
                 (bl_note){.start = now,
                           .end = BL_NOTE_HELD,
                           .key_channel = key.channel,
                           .key = key.note,
                           .channel = channel,
                           .note = note,
                           .velocity = key.velocity});
}

void bl_notes_release(bl_notes *notes, const bl_io *io, int64_t now, uint8_t key_channel,
                      uint8_t key, uint8_t velocity) BL_NONBLOCKING {
    for (uint32_t index = 0; index < notes->count;) {
        bl_note *note = &notes->notes[index];
        if (note->end == BL_NOTE_HELD && note->key == key && note->key_channel == key_channel) {
            note->end = now + note->after;
            if (note->end <= now) {
                finish(notes, io, now, index, velocity);
                continue;
            }
        }
        index += 1;
    }
}

void bl_notes_end(bl_notes *notes, const bl_io *io, int64_t now,
                  uint8_t key_channel) BL_NONBLOCKING {
    for (uint32_t index = 0; index < notes->count;) {
        if (key_channel == BL_ALL_CHANNELS || notes->notes[index].key_channel == key_channel) {
            finish(notes, io, now, index, USUAL_RELEASE);
        } else {
            index += 1;
        }
    }
}

static int64_t next_time(const bl_note *note) BL_NONBLOCKING {
    return note->sounds ? note->end : note->start;
}

/* The index of the event that is due first; among equals, an end before a start, then the
   oldest. */
static uint32_t next_due(const bl_notes *notes) BL_NONBLOCKING {
    uint32_t next = 0;
    for (uint32_t index = 1; index < notes->count; index += 1) {
        const bl_note *note = &notes->notes[index], *earliest = &notes->notes[next];
        if (next_time(note) < next_time(earliest) ||
            (next_time(note) == next_time(earliest) && note->sounds && !earliest->sounds)) {
            next = index;
        }
    }
    return next;
}

void bl_notes_play(bl_notes *notes, const bl_io *io, int64_t first, int64_t end) BL_NONBLOCKING {
    if (first < notes->position) {
        bl_notes_end(notes, io, first, BL_ALL_CHANNELS);
    }
    notes->position = end;
    while (notes->count > 0) {
        uint32_t index = next_due(notes);
        const bl_note *note = &notes->notes[index];
        int64_t time = next_time(note);
        if (time >= end) {
            return;
        }
        time = time < first ? first : time;
        if (note->sounds) {
            finish(notes, io, time, index, USUAL_RELEASE);
        } else {
            start(notes, io, time, index);
        }
    }
}

static void press(const bl_notes *notes, const bl_io *io, int64_t now,
                  const bl_midi_event *message) BL_NONBLOCKING {
    for (uint32_t index = 0; index < notes->count; index += 1) {
        const bl_note *note = &notes->notes[index];
        if (note->sounds && note->key == message->bytes[1] &&
            note->key_channel == (message->bytes[0] & 15)) {
            bl_midi_processor_send(io, now, BL_NOTE_PRESSURE | note->channel, note->note,
                                   message->bytes[2]);
        }
    }
}

void bl_notes_receive(bl_notes *notes, const bl_io *io, int64_t now,
                      const bl_midi_event *message) BL_NONBLOCKING {
    uint8_t channel = message->bytes[0] & 15;
    if (bl_midi_is_note_off(message)) {
        bl_notes_release(notes, io, now, channel, message->bytes[1], message->bytes[2]);
    } else if ((message->bytes[0] & 0xF0) == BL_NOTE_PRESSURE) {
        press(notes, io, now, message);
    } else {
        if (bl_midi_is_all_off(message)) {
            bl_notes_end(notes, io, now, channel);
        }
        bl_midi_processor_pass(io, now, message);
    }
}

int64_t bl_notes_remaining(const bl_notes *notes) BL_NONBLOCKING {
    int64_t latest = notes->position;
    for (uint32_t index = 0; index < notes->count; index += 1) {
        int64_t end = notes->notes[index].end;
        latest = end != BL_NOTE_HELD && end > latest ? end : latest;
    }
    return latest - notes->position;
}

void bl_notes_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING {
    int64_t first = io->time + first_frame;
    bl_notes_play(&((bl_notes_unit *)unit)->notes, io, first, first + frames);
}

void bl_notes_reset(bl_unit *unit) BL_NONBLOCKING {
    ((bl_notes_unit *)unit)->notes = (bl_notes){0};
}
