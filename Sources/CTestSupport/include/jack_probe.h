/* Two JACK clients around the one under test: an injector that plays arrays and MIDI at exact
   frames, and a capturer that records. Both count the cycles of a server that waits for its
   clients, so that a late cycle, at which the frame clock jumps, leaves no gap. Two, because one
   client before and behind another is a loop, which jackd cuts with a cycle of delay. */
#ifndef BACKLINE_JACK_PROBE_H
#define BACKLINE_JACK_PROBE_H

#include "jack_library.h"

typedef struct bl_probe bl_probe;

/* Bytes of the longest message. */
#define BL_PROBE_MIDI_SIZE 16

typedef struct bl_probe_message {
    uint32_t frame;
    uint32_t port; /* where it was captured; not read to play */
    uint32_t length;
    uint8_t bytes[BL_PROBE_MIDI_SIZE];
} bl_probe_message;

/* Opens the clients "injector" (ports out_1 …, midi_1 …) and "capturer" (ports in_1 …, midi_1 …) at
   `server` and activates them; NULL when JACK refuses. [control] */
bl_probe *bl_probe_create(const bl_jack_library *library, const char *server, uint32_t output_count,
                          uint32_t midi_count, uint32_t input_count, uint32_t midi_input_count);

/* Closes both. After a shutdown wait 100 ms first. [control] */
void bl_probe_destroy(bl_probe *probe);

/* The capturer: another client, for questions. [control] */
jack_client_t *bl_probe_client(const bl_probe *probe);

/* Begins to play `output` (outputs × frames) and `messages` (of MIDI port `midi_port`, by rising
   frame), and to record. Arrays are copied. Not while another run goes on. [control] */
bool bl_probe_start(bl_probe *probe, const float *output, uint32_t frames, uint32_t midi_port,
                    const bl_probe_message *messages, uint32_t message_count);

/* Has everything been played and recorded? [control] */
bool bl_probe_is_finished(const bl_probe *probe);

/* Whether both clients of the finished run had the same cycles: not where one missed a cycle, or
   the frame clock jumped as it began. [control] */
bool bl_probe_is_whole(const bl_probe *probe);

/* Frames captured so far. [control] */
uint32_t bl_probe_captured(const bl_probe *probe);

/* The finished run's recording of one input. [control] */
const float *bl_probe_recording(const bl_probe *probe, uint32_t input);

/* The finished run's messages, by their frames; longer ones and those past 16384 are left out.
   [control] */
const bl_probe_message *bl_probe_messages(const bl_probe *probe, uint32_t *count);

/* The frame time of the finished run's first frame, by the frame clock at the end of the run.
   [control] */
uint32_t bl_probe_start_time(const bl_probe *probe);

#endif
