/* JACK's MIDI of one cycle, checked and put in order. */
#ifndef BACKLINE_JACK_MIDI_H
#define BACKLINE_JACK_MIDI_H

#include "jack_ports.h"
#include "kernel/kernel.h"

/* Messages that one cycle can carry. */
#define BL_JACK_MIDI_CAPACITY 4096

typedef struct bl_jack_midi_result {
    uint32_t count;     /* messages written */
    uint32_t lost;      /* for which there was no room */
    uint32_t malformed; /* which were no whole MIDI message, and were dropped */
} bl_jack_midi_result;

/* Merges the events of all MIDI inputs into `messages` (BL_JACK_MIDI_CAPACITY of them) in order of
   time, those of one frame in the order of the ports. System exclusive is carried by reference into
   JACK's buffers. [render] */
bl_jack_midi_result bl_jack_midi_merge(const bl_jack_library *library, bl_jack_ports *ports,
                                       uint32_t frames, bl_midi_message *messages) BL_NONBLOCKING;

/* Empties the MIDI outputs for this cycle. [render] */
void bl_jack_midi_clear(const bl_jack_library *library, bl_jack_ports *ports,
                        uint32_t frames) BL_NONBLOCKING;

/* What bl_cycle's send_midi needs to write to JACK's ports. */
typedef struct bl_jack_midi_writer {
    const bl_jack_library *library;
    const bl_jack_ports *ports;
} bl_jack_midi_writer;

/* Writes a message behind those before it; `context` is a bl_jack_midi_writer. False when JACK has
   no room. [render] */
bool bl_jack_midi_write(void *context, const bl_midi_message *message) BL_NONBLOCKING;

#endif
