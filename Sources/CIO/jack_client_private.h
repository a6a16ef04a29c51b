/* What the files of the JACK client share. */
#ifndef BACKLINE_JACK_CLIENT_PRIVATE_H
#define BACKLINE_JACK_CLIENT_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "jack_client.h"
#include "jack_midi.h"
#include "jack_transport.h"

/* Registrations of ports that can wait for the control thread. A power of two. */
#define BL_JACK_REGISTRATIONS 1024

/* The ports that latencies are computed for. */
typedef struct bl_jack_latencies {
    pthread_mutex_t lock;
    uint32_t input_count;
    jack_port_t **inputs;
    uint32_t output_count;
    jack_port_t **outputs;
    uint32_t *output_latencies; /* frames */
} bl_jack_latencies;

/* Inputs that may lose a cable between two cycles; of more, all are taken to have lost theirs. */
#define BL_JACK_MOST_CUTS 64

struct bl_jack_client {
    const bl_jack_library *library;
    jack_client_t *jack;
    _Atomic(bl_kernel *) kernel;

    /* The process thread's own. */
    const bl_jack_ports *playing; /* in the cycle before; to compare, never to follow */
    uint32_t written_count;       /* the outputs it wrote, to be silenced when it is gone */
    jack_port_t *written[BL_JACK_MAXIMUM_OUTPUTS];
    uint32_t written_midi_count; /* likewise */
    jack_port_t *written_midi[BL_JACK_MAXIMUM_OUTPUTS];
    uint32_t heard_midi_count; /* the MIDI inputs it read, whose notes end when they are gone */
    jack_port_t *heard_midi[BL_JACK_MAXIMUM_OUTPUTS];
    uint32_t cuts_read;
    bl_midi_message midi[BL_JACK_MIDI_CAPACITY];
    bl_jack_transport music;

    /* Written by the control thread. */
    _Atomic double tempo; /* beats per minute; 0 for the graph's own */
    _Atomic bool is_timebase_master;

    /* Written by the process thread. */
    _Atomic double
        present_tempo; /* beats per minute, of any timebase master; 0 before the first cycle */
    _Atomic bool follows_timebase; /* it is another client's */
    _Atomic uint64_t transport;    /* JACK's frame doubled, and 1 more where it rolls */
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
    _Atomic(jack_port_t *) cuts[BL_JACK_MOST_CUTS]; /* inputs that lost a cable, round and round */
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

/* The process callback; `context` is the bl_jack_client. [render] */
int bl_jack_process(jack_nframes_t frames, void *context) BL_NONBLOCKING;

/* The timebase callback: writes bar, beat and tick of the next cycle. [render] */
void bl_jack_update_timebase(jack_transport_state_t state, jack_nframes_t frames,
                             jack_position_t *position, int is_new, void *context) BL_NONBLOCKING;

/* The latency callback. [notification thread] */
void bl_jack_update_latency(jack_latency_callback_mode_t mode, void *context);

#endif
