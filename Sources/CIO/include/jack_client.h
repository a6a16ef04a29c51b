/* The render side of one JACK client: the process callback and JACK's notifications.
 *
 * Three threads meet here. JACK's process thread runs the kernel. JACK's notification thread (for
 * some events, with some JACKs, the process thread or the control thread) only sets atomics and
 * rings the event descriptor; it computes latencies under a lock that the process thread never
 * takes. The control thread does the rest.
 */
#ifndef BACKLINE_JACK_CLIENT_H
#define BACKLINE_JACK_CLIENT_H

#include "jack_ports.h"
#include "kernel/kernel.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_jack_client bl_jack_client;

enum {
    BL_JACK_EVENT_BUFFER_SIZE = 1 << 0,
    BL_JACK_EVENT_SAMPLE_RATE = 1 << 1,
    BL_JACK_EVENT_FREEWHEEL = 1 << 2,
    BL_JACK_EVENT_XRUN = 1 << 3,
    BL_JACK_EVENT_PORTS = 1 << 4, /* some port came, went, was renamed, connected or cut off */
    BL_JACK_EVENT_SHUTDOWN = 1 << 5
};

/* What happened since it was last asked; several of a kind are one, with the last value. */
typedef struct bl_jack_events {
    uint32_t kinds;       /* BL_JACK_EVENT_… */
    uint32_t buffer_size; /* frames */
    uint32_t sample_rate; /* Hz */
    bool freewheeling;
    uint64_t xruns;   /* since the client began, or the first that it took the place of */
    float xrun_delay; /* microseconds, the last one's */
    char shutdown_reason[128];
} bl_jack_events;

/* Takes over an open, inactive client and sets its callbacks; NULL when memory or descriptors are
   short or JACK refuses. [control] */
bl_jack_client *bl_jack_client_create(const bl_jack_library *library, jack_client_t *client);

/* Does not close the JACK client. [control, once that is closed] */
void bl_jack_client_destroy(bl_jack_client *client);

/* Forgets the cycles that were. [control, while not active] */
void bl_jack_client_prepare(bl_jack_client *client);

/* What plays from the next cycle on; NULL for silence. Waits until a cycle that may be under way is
   over: from then on no thread of this client is in the kernel that played before. False when that
   took longer than `timeout` milliseconds; then ask again. [control] */
bool bl_jack_client_set_kernel(bl_jack_client *client, bl_kernel *kernel, uint32_t timeout);

/* What goes on when another client takes this one's place. */
typedef struct bl_jack_saved_state {
    uint64_t xruns, midi_lost, midi_malformed;
    uint32_t transport_frame; /* where JACK's transport would be in the next cycle */
    bool transport_moves;
} bl_jack_saved_state;

/* [control, while it has no kernel] */
bl_jack_saved_state bl_jack_client_saved_state(const bl_jack_client *client);
/* Counts on from there, and notices where the transport differs. [control, while it has no kernel]
 */
void bl_jack_client_restore_state(bl_jack_client *client, const bl_jack_saved_state *past);

/* Readable while there are events to take. [control] */
int bl_jack_client_event_descriptor(const bl_jack_client *client);

/* Has the server gone, or thrown the client out? [any thread] */
bool bl_jack_client_is_shut_down(const bl_jack_client *client);

/* [control] */
bl_jack_events bl_jack_client_pop_events(bl_jack_client *client);

/* Pops a port that was registered since the last call; false when there is none. [control] */
bool bl_jack_client_pop_registration(bl_jack_client *client, jack_port_id_t *port);

/* The ports whose latencies are reported to JACK, and the frames from the inputs to each output;
   copied. False when memory is short. Call jack_recompute_total_latencies after it. [control] */
bool bl_jack_client_set_latencies(bl_jack_client *client, jack_port_t *const *inputs,
                                  uint32_t input_count, jack_port_t *const *outputs,
                                  const uint32_t *output_latencies, uint32_t output_count);

/* Waits until the cycle that may be under way is over, so that what the render thread has let go of
   can be freed. False when none ended for `timeout` milliseconds: nothing is being played.
   [control] */
bool bl_jack_client_wait_for_cycle(const bl_jack_client *client, uint32_t timeout);

/* The process thread's scheduling policy (SCHED_FIFO and so on); -1 before its first cycle.
   [control, while active] */
int bl_jack_client_scheduling_policy(const bl_jack_client *client);

/* The process thread's real-time priority, 0 without one, and the processor that it last ran on.
   False before its first cycle. [control, while active] */
bool bl_jack_client_thread_place(const bl_jack_client *client, int *priority, int *processor);
/* Keeps the process thread on one processor from now on; false where that cannot be. [control,
   while active] */
bool bl_jack_client_pin_thread(const bl_jack_client *client, int processor);

/* JACK's frame time at which the kernel's sample time was 0, from the cycle played last; an xrun
   moves it, since JACK's clock goes on and the kernel's does not. False before the first cycle with
   a graph. [control] */
bool bl_jack_client_origin(const bl_jack_client *client, uint32_t *frame_time);

/* The tempo where no other client is timebase master, in the place of the graph's own; 0 for that.
   Beats per minute [control] */
void bl_jack_client_set_tempo(bl_jack_client *client, double tempo);

/* The tempo of the cycle played last, beats per minute, or 0; and is it another client's, who is
   timebase master? [any thread] */
double bl_jack_client_tempo(const bl_jack_client *client, bool *is_anothers);

/* The frame of JACK's transport in the cycle played last, and does it roll? [any thread] */
uint32_t bl_jack_client_transport(const bl_jack_client *client, bool *rolls);

/* Becomes JACK's timebase master, from whom other clients have bars and beats; false where another
   is. [control, while active] */
bool bl_jack_client_take_timebase(bl_jack_client *client);

/* MIDI messages dropped, counted like xruns: for want of room, and because they were none.
   [control] */
uint64_t bl_jack_client_midi_lost(const bl_jack_client *client);
uint64_t bl_jack_client_midi_malformed(const bl_jack_client *client);

BL_END_DECLARATIONS

#endif
