/* The render side of a JACK client: the process callback and JACK's
 * notifications.
 *
 * Three threads meet here. JACK's process thread runs the kernel. JACK's
 * notification thread (for some events, with some JACKs, the process thread or
 * the control thread) only sets atomics and writes to the event descriptor; it
 * computes latencies under a lock that the process thread never locks. The
 * control thread does the rest.
 */
#ifndef BACKLINE_JACK_CLIENT_H
#define BACKLINE_JACK_CLIENT_H

#include "helper_threads.h"
#include "jack_ports.h"
#include "kernel/kernel.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_jack_client bl_jack_client;

enum {
    BL_JACK_EVENT_BUFFER_SIZE = 1 << 0,
    BL_JACK_EVENT_SAMPLE_RATE = 1 << 1,
    BL_JACK_EVENT_FREEWHEEL = 1 << 2,
    BL_JACK_EVENT_XRUN = 1 << 3,
    BL_JACK_EVENT_PORTS = 1 << 4, /* a port was added, removed, renamed or its cables changed */
    BL_JACK_EVENT_SHUTDOWN = 1 << 5,
    BL_JACK_EVENT_CYCLE = 1 << 6 /* a requested cycle has ended */
};

/* The longest message of bl_jack_client_send_midi. Bytes */
#define BL_JACK_LONGEST_SENT_MIDI 1024

/* The events since the last call; several of a kind are merged, with the last value. */
typedef struct bl_jack_events {
    uint32_t kinds;       /* BL_JACK_EVENT_… */
    uint32_t buffer_size; /* frames */
    uint32_t sample_rate; /* Hz */
    bool freewheeling;
    uint64_t xruns;   /* since the start of the client, or of the first that it
                         replaced */
    float xrun_delay; /* microseconds, the last one's */
    uint64_t cycles;  /* cycles that have ended */
    char shutdown_reason[128];
} bl_jack_events;

/* Sets the callbacks of an open, inactive client; NULL when memory or descriptors are short or JACK
   refuses. [control] */
bl_jack_client *bl_jack_client_create(const bl_jack_library *library, jack_client_t *client);

/* Frees the client; does not close the JACK client. [control, once that is closed] */
void bl_jack_client_destroy(bl_jack_client *client);

/* Clears the state of past cycles. [control, while not active] */
void bl_jack_client_prepare(bl_jack_client *client);

/* Sets the kernel to play from the next cycle on, NULL for silence. False while a cycle in progress
   may still use the former kernel; then call again after the cycle. [control] */
bool bl_jack_client_set_kernel(bl_jack_client *client, bl_kernel *kernel);

/* Starts threads with the process thread's priority that help the kernel, as many of `count` as the
   system allows; NULL if none started. [control, before the kernel is set] */
bl_helper_threads *bl_jack_client_start_helpers(bl_jack_client *client, bl_kernel *kernel,
                                                uint32_t count);

/* Requests BL_JACK_EVENT_CYCLE at the end of the current or the next cycle. Returns the number of
   ended cycles: once it is greater, the current cycle is over, and memory that the render thread
   has retired can be freed. [control] */
uint64_t bl_jack_client_request_cycle(bl_jack_client *client);

/* The state that a client continues from after a server restart. */
typedef struct bl_jack_saved_state {
    uint64_t xruns, midi_lost, midi_malformed;
    uint32_t transport_frame; /* of JACK's transport in the next cycle */
    bool transport_moves;
} bl_jack_saved_state;

/* Returns the state for the next client. [control, while it has no kernel] */
bl_jack_saved_state bl_jack_client_saved_state(const bl_jack_client *client);
/* Continues the counters and the transport. [control, while it has no kernel] */
void bl_jack_client_restore_state(bl_jack_client *client, const bl_jack_saved_state *past);

/* Returns a descriptor that is readable while there are events to pop. [control] */
int bl_jack_client_event_descriptor(const bl_jack_client *client);

/* Whether the server has ended or removed the client. [any thread] */
bool bl_jack_client_is_shut_down(const bl_jack_client *client);

/* Returns and clears the events. [control] */
bl_jack_events bl_jack_client_pop_events(bl_jack_client *client);

/* Pops a port that was registered since the last call; false when there is none. [control] */
bool bl_jack_client_pop_registration(bl_jack_client *client, jack_port_id_t *port);

/* Sets the ports whose latencies are reported to JACK, and the frames from the inputs to each
   output; copied. False when memory is short. Call jack_recompute_total_latencies after it.
   [control] */
bool bl_jack_client_set_latencies(bl_jack_client *client, jack_port_t *const *inputs,
                                  uint32_t input_count, jack_port_t *const *outputs,
                                  const uint32_t *output_latencies, uint32_t output_count);

/* Reads the process thread's real-time priority, 0 without one, and the processor that it last ran
   on. False before its first cycle. [control, while active] */
bool bl_jack_client_thread_place(const bl_jack_client *client, int *priority, int *processor);
/* Pins the process thread to a processor; false on failure. [control, while active] */
bool bl_jack_client_pin_thread(const bl_jack_client *client, int processor);

/* Reads JACK's frame time at which the kernel's sample time was 0, from the last cycle; an xrun
   moves it, since JACK's clock continues and the kernel's does not. False before the first cycle
   with a graph. [control] */
bool bl_jack_client_origin(const bl_jack_client *client, uint32_t *frame_time);

/* Replaces the graph's tempo, unless another client is timebase master; 0 for the graph's tempo.
   Beats per minute [control] */
void bl_jack_client_set_tempo(bl_jack_client *client, double tempo);

/* Returns the tempo of the last cycle, beats per minute, or 0, and whether another client is
   timebase master. [any thread] */
double bl_jack_client_tempo(const bl_jack_client *client, bool *is_anothers);

/* Returns the frame of JACK's transport in the last cycle, and whether it rolls. [any thread] */
uint32_t bl_jack_client_transport(const bl_jack_client *client, bool *rolls);

/* Becomes JACK's timebase master, which gives other clients bars and beats; false if another client
   is. [control, while active] */
bool bl_jack_client_become_timebase_master(bl_jack_client *client);

/* Sends a whole MIDI message to the MIDI input with index `port` of the playing graph, at the start
   of the next cycle; false without room, or if the bytes are not one message of at most
   BL_JACK_LONGEST_SENT_MIDI. [control] */
bool bl_jack_client_send_midi(bl_jack_client *client, uint8_t port, uint32_t length,
                              const uint8_t *bytes);

/* The dropped MIDI messages, counted like xruns: those without room, and the incomplete ones. */
uint64_t bl_jack_client_midi_lost(const bl_jack_client *client);
uint64_t bl_jack_client_midi_malformed(const bl_jack_client *client);

BL_END_DECLARATIONS

#endif
