/* Two JACK clients around the client under test: an injector that plays arrays and MIDI at exact
   frames, and a capturer that records. Both count the cycles of a synchronous server, so that a
   late cycle, at which the frame clock jumps, leaves no gap. There are two clients, because a
   single one before and after the client under test would be a loop, which jackd delays by a
   cycle. */
#ifndef BACKLINE_JACK_PROBE_H
#define BACKLINE_JACK_PROBE_H

#include "jack_library.h"

typedef struct bl_probe bl_probe;

/* The longest message, bytes. */
#define BL_PROBE_MIDI_SIZE 16

typedef struct bl_probe_message {
    uint32_t frame;
    uint32_t port; /* the MIDI input that captured it; ignored when played */
    uint32_t length;
    uint8_t bytes[BL_PROBE_MIDI_SIZE];
} bl_probe_message;

/* Opens the clients "injector" (ports out_1 …, midi_1 …) and "capturer" (ports in_1 …, midi_1 …) at
   `server` and activates them; NULL when JACK refuses. [control] */
bl_probe *bl_probe_create(const bl_jack_library *library, const char *server, uint32_t output_count,
                          uint32_t midi_count, uint32_t input_count, uint32_t midi_input_count);

/* Closes both clients. After a shutdown wait 100 ms first. [control] */
void bl_probe_destroy(bl_probe *probe);

/* Returns the capturer, to query the server with. [control] */
jack_client_t *bl_probe_client(const bl_probe *probe);

/* Starts to play `output` (outputs × frames) and `messages` (for MIDI port `midi_port`, sorted by
   frame), and to record. The arrays are copied. Returns false during another run, or when memory is
   short. [control] */
bool bl_probe_start(bl_probe *probe, const float *output, uint32_t frames, uint32_t midi_port,
                    const bl_probe_message *messages, uint32_t message_count);

/* Whether everything has been played and recorded. [control] */
bool bl_probe_is_finished(const bl_probe *probe);

/* Whether both clients had the same cycles in the finished run; false if one missed a cycle, or the
   frame clock jumped as the run started. [control] */
bool bl_probe_is_complete(const bl_probe *probe);

/* The number of frames captured so far. [control] */
uint32_t bl_probe_captured(const bl_probe *probe);

/* The finished run's recording of one input. [control] */
const float *bl_probe_recording(const bl_probe *probe, uint32_t input);

/* The finished run's messages in order, at most 16384; messages longer than BL_PROBE_MIDI_SIZE are
   left out. [control] */
const bl_probe_message *bl_probe_messages(const bl_probe *probe, uint32_t *count);

/* The frame time of the finished run's first frame, by the frame clock at the end of the run.
   [control] */
uint32_t bl_probe_start_time(const bl_probe *probe);

#endif
