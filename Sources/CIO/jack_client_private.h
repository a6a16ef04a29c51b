/* Declarations shared by the files of the JACK client. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "backline/arena.h"
#include "jack_client.h"
#include "kernel/midi_queue.h"

/* The port registrations that can wait for the control thread; a power of two. */
#define BL_JACK_REGISTRATIONS 1024

/* The most MIDI messages in one cycle. */
#define BL_JACK_MIDI_CAPACITY 4096

/* The most messages from the control side in one cycle, and their bytes. */
#define BL_JACK_SENT_MIDI_CAPACITY 64
#define BL_JACK_SENT_MIDI_BYTES 4096

typedef struct bl_jack_midi_result {
    uint32_t count;     /* messages written */
    uint32_t lost;      /* without room */
    uint32_t malformed; /* not one complete MIDI message */
} bl_jack_midi_result;

/* Merges the events of all MIDI inputs into `messages` (BL_JACK_MIDI_CAPACITY of them) in order of
   time, those at one frame in the order of the ports. System exclusive is carried by reference into
   JACK's buffers. [render] */
bl_jack_midi_result bl_jack_midi_merge(const bl_jack_library *library, bl_jack_ports *ports,
                                       uint32_t frames, bl_midi_message *messages) BL_NONBLOCKING;

/* Reads the messages from the control side into `messages` (BL_JACK_SENT_MIDI_CAPACITY of them), at
   the cycle's first frame, and returns the count; their bytes stay valid until the next call.
   [render] */
uint32_t bl_jack_midi_read_sent(bl_jack_client *client, const bl_jack_ports *ports,
                                bl_midi_message *messages) BL_NONBLOCKING;

/* Empties the MIDI outputs for this cycle. [render] */
void bl_jack_midi_clear(const bl_jack_library *library, bl_jack_ports *ports,
                        uint32_t frames) BL_NONBLOCKING;

/* The context of bl_cycle's send_midi. */
typedef struct bl_jack_midi_writer {
    const bl_jack_library *library;
    const bl_jack_ports *ports;
} bl_jack_midi_writer;

/* Writes a message to its JACK port; `context` is a bl_jack_midi_writer. False when JACK has no
   room. [render] */
bool bl_jack_midi_write(void *context, const bl_midi_message *message) BL_NONBLOCKING;

/* JACK's transport: position, tempo and beats, read from JACK and, as timebase master, written. */
typedef struct bl_jack_transport {
    bl_musical_context context;
    bl_transport_state transport;
    uint32_t expected_frame; /* of the next cycle, unless the transport starts,
                                stops or jumps */

    /* The client's own count of beats, without another timebase master: a new tempo continues from
       the current beat, and after a jump beats count from frame 0. */
    double tempo; /* beats per minute; 0 before the first cycle */
    uint32_t anchor_frame;
    double anchor_beat;
    bool is_requested;    /* JACK has asked for the position since the last read */
    bool follows_another; /* the last beats came from another timebase master */
} bl_jack_transport;

/* Reads the transport at the start of a cycle of `frames` frames. Without another timebase master
   there are four quarter notes in a bar, at `tempo`; `is_master`: this client is the timebase
   master. [render] */
void bl_jack_read_transport(bl_jack_transport *music, const bl_jack_library *library,
                            jack_client_t *client, uint32_t frames, double tempo,
                            bool is_master) BL_JACK_NONBLOCKING;

/* Fills in bar, beat and tick at a position's frame, by the client's own count. [render] */
void bl_jack_write_beats(bl_jack_transport *music, jack_position_t *position) BL_JACK_NONBLOCKING;

/* The ports whose latencies are reported to JACK. */
typedef struct bl_jack_latencies {
    bl_arena arena;
    pthread_mutex_t lock;
    uint32_t input_count;
    jack_port_t **inputs;
    uint32_t output_count;
    jack_port_t **outputs;
    uint32_t *output_latencies; /* frames */
} bl_jack_latencies;

/* The most inputs that may lose a cable between two cycles; beyond it, the notes of all inputs
   end. */
#define BL_JACK_MOST_CUTS 64

struct bl_jack_client {
    const bl_jack_library *library;
    jack_client_t *jack;
    _Atomic(bl_kernel *) kernel;

    /* Owned by the process thread. */
    const bl_jack_ports *playing; /* in the last cycle; to compare, never to follow */
    uint32_t written_count;       /* its outputs, to silence when it is replaced */
    jack_port_t *written[BL_JACK_MAXIMUM_OUTPUTS];
    uint32_t written_midi_count; /* likewise */
    jack_port_t *written_midi[BL_JACK_MAXIMUM_OUTPUTS];
    uint32_t read_midi_count; /* its MIDI inputs, whose notes end when they are
                                 replaced */
    jack_port_t *read_midi[BL_JACK_MAXIMUM_OUTPUTS];
    uint32_t cuts_read;
    bl_midi_message midi[BL_JACK_SENT_MIDI_CAPACITY + BL_JACK_MIDI_CAPACITY];
    uint8_t sent_midi_bytes[BL_JACK_SENT_MIDI_BYTES];
    bl_jack_transport music;

    /* Written by the control thread. */
    bl_midi_queue *sent_midi; /* its cables are the MIDI inputs */
    _Atomic double tempo;     /* beats per minute; 0 for the graph's own */
    _Atomic bool is_timebase_master;
    _Atomic bool awaits_cycle; /* BL_JACK_EVENT_CYCLE; cleared by the process thread */

    /* Written by the process thread. */
    _Atomic double present_tempo;  /* beats per minute; 0 before the first cycle */
    _Atomic bool follows_timebase; /* the tempo is another client's */
    _Atomic uint64_t transport;    /* JACK's frame × 2, + 1 while it rolls */
    _Atomic bool is_in_cycle;
    _Atomic uint64_t cycles_finished;
    _Atomic int64_t origin; /* a 32-bit frame time, or -1 */
    _Atomic uint64_t midi_lost;
    _Atomic uint64_t midi_malformed;
    _Atomic bool has_thread;
    pthread_t thread;      /* valid once has_thread */
    _Atomic int processor; /* that it last ran on */

    /* Written by the notification thread. */
    _Atomic uint32_t cuts_written;
    _Atomic(jack_port_t *) cuts[BL_JACK_MOST_CUTS]; /* a ring of inputs that lost a cable */
    int event_descriptor;
    _Atomic uint32_t events;
    _Atomic uint32_t buffer_size;
    _Atomic uint32_t sample_rate;
    _Atomic bool freewheeling;
    _Atomic uint64_t xruns;
    _Atomic uint64_t xruns_to_note;
    _Atomic float xrun_delay;
    _Atomic bool is_shut_down;
    jack_port_id_t registrations[BL_JACK_REGISTRATIONS];
    _Atomic uint32_t registrations_written;
    _Atomic uint32_t registrations_read; /* written by the control thread */
    char shutdown_reason[128];           /* written once, before its event is set */

    bl_jack_latencies latencies;
};

/* Reports an event by the descriptor. [any thread] */
void bl_jack_notify(bl_jack_client *client, uint32_t kind);

/* The process callback; `context` is the bl_jack_client. [render] */
int bl_jack_process(jack_nframes_t frames, void *context) BL_NONBLOCKING;

/* The timebase callback: writes bar, beat and tick of the next cycle. [render] */
void bl_jack_update_timebase(jack_transport_state_t state, jack_nframes_t frames,
                             jack_position_t *position, int is_new, void *context) BL_NONBLOCKING;

/* The latency callback. [notification thread] */
void bl_jack_update_latency(jack_latency_callback_mode_t mode, void *context);
