#define _POSIX_C_SOURCE 200809L
#define _GNU_SOURCE
#include "jack_client.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "foreign_units/render_thread.h"
#include "jack_client_private.h"

/* Signals an event by the descriptor; async-signal-safe, as JACK requires of shutdown callbacks. */
void bl_jack_notify(bl_jack_client *client, uint32_t kind) {
    atomic_fetch_or_explicit(&client->events, kind, memory_order_release);
    uint64_t one = 1;
    (void)!write(client->event_descriptor, &one, sizeof one);
}

static int buffer_size_changed(jack_nframes_t frames, void *context) {
    bl_jack_client *client = context;
    if (atomic_exchange(&client->buffer_size, frames) != frames) {
        bl_jack_notify(client, BL_JACK_EVENT_BUFFER_SIZE);
    }
    return 0;
}

static int sample_rate_changed(jack_nframes_t rate, void *context) {
    bl_jack_client *client = context;
    if (atomic_exchange(&client->sample_rate, rate) != rate) {
        bl_jack_notify(client, BL_JACK_EVENT_SAMPLE_RATE);
    }
    return 0;
}

static void freewheel_changed(int starting, void *context) {
    bl_jack_client *client = context;
    atomic_store(&client->freewheeling, starting != 0);
    bl_jack_notify(client, BL_JACK_EVENT_FREEWHEEL);
}

static int xrun_happened(void *context) {
    bl_jack_client *client = context;
    atomic_store_explicit(&client->xrun_delay,
                          client->library->jack_get_xrun_delayed_usecs(client->jack),
                          memory_order_relaxed);
    atomic_fetch_add(&client->xruns, 1);
    atomic_fetch_add_explicit(&client->xruns_to_note, 1, memory_order_release);
    bl_jack_notify(client, BL_JACK_EVENT_XRUN);
    return 0;
}

static void port_registered(jack_port_id_t port, int registered, void *context) {
    bl_jack_client *client = context;
    uint32_t written = atomic_load_explicit(&client->registrations_written, memory_order_relaxed);
    uint32_t read = atomic_load_explicit(&client->registrations_read, memory_order_acquire);
    if (registered && written - read < BL_JACK_REGISTRATIONS) {
        client->registrations[written % BL_JACK_REGISTRATIONS] = port;
        atomic_store_explicit(&client->registrations_written, written + 1, memory_order_release);
    }
    bl_jack_notify(client, BL_JACK_EVENT_PORTS);
}

/* Records that an input lost a cable: the process thread then ends its notes. */
static void note_cut(bl_jack_client *client, jack_port_id_t identifier) {
    const bl_jack_library *library = client->library;
    jack_port_t *port = library->jack_port_by_id(client->jack, identifier);
    if (port != NULL && library->jack_port_is_mine(client->jack, port) &&
        (library->jack_port_flags(port) & JackPortIsInput) != 0) {
        uint32_t written = atomic_load_explicit(&client->cuts_written, memory_order_relaxed);
        atomic_store_explicit(&client->cuts[written % BL_JACK_MOST_CUTS], port,
                              memory_order_relaxed);
        atomic_store_explicit(&client->cuts_written, written + 1, memory_order_release);
    }
}

static void port_connected(jack_port_id_t a, jack_port_id_t b, int connected, void *context) {
    if (!connected) {
        note_cut(context, a);
        note_cut(context, b);
    }
    bl_jack_notify(context, BL_JACK_EVENT_PORTS);
}

static void port_renamed(jack_port_id_t port, const char *old_name, const char *new_name,
                         void *context) {
    (void)port, (void)old_name, (void)new_name;
    bl_jack_notify(context, BL_JACK_EVENT_PORTS);
}

static void shut_down(bl_jack_client *client, const char *reason) {
    if (!atomic_exchange(&client->is_shut_down, true)) {
        size_t last = sizeof client->shutdown_reason - 1;
        for (size_t index = 0; index < last && reason[index] != 0; index += 1) {
            client->shutdown_reason[index] = reason[index];
        }
        bl_jack_notify(client, BL_JACK_EVENT_SHUTDOWN);
    }
}

static void shut_down_without_reason(void *context) { shut_down(context, ""); }

static void shut_down_with_reason(jack_status_t code, const char *reason, void *context) {
    (void)code;
    shut_down(context, reason != NULL ? reason : "");
}

static bool set_callbacks(bl_jack_client *client) {
    const bl_jack_library *library = client->library;
    jack_client_t *jack = client->jack;
    /* PipeWire's library calls only the first of these two, JACK2's only the second. */
    library->jack_on_shutdown(jack, shut_down_without_reason, client);
    library->jack_on_info_shutdown(jack, shut_down_with_reason, client);
    return library->jack_set_process_callback(jack, bl_jack_process, client) == 0 &&
           library->jack_set_buffer_size_callback(jack, buffer_size_changed, client) == 0 &&
           library->jack_set_sample_rate_callback(jack, sample_rate_changed, client) == 0 &&
           library->jack_set_freewheel_callback(jack, freewheel_changed, client) == 0 &&
           library->jack_set_xrun_callback(jack, xrun_happened, client) == 0 &&
           library->jack_set_port_registration_callback(jack, port_registered, client) == 0 &&
           library->jack_set_port_connect_callback(jack, port_connected, client) == 0 &&
           library->jack_set_port_rename_callback(jack, port_renamed, client) == 0 &&
           library->jack_set_latency_callback(jack, bl_jack_update_latency, client) == 0;
}

bl_jack_client *bl_jack_client_create(const bl_jack_library *library, jack_client_t *jack) {
    bl_jack_client *client = bl_allocate_touched(1, sizeof *client);
    if (client == NULL) {
        return NULL;
    }
    library->jack_set_thread_creator(bl_create_render_thread);
    client->library = library;
    client->jack = jack;
    client->origin = -1;
    client->buffer_size = library->jack_get_buffer_size(jack);
    client->sample_rate = library->jack_get_sample_rate(jack);
    pthread_mutex_init(&client->latencies.lock, NULL);
    client->event_descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    client->sent_midi = bl_midi_queue_create(BL_JACK_SENT_MIDI_BYTES * 4);
    if (client->event_descriptor < 0 || client->sent_midi == NULL || !set_callbacks(client)) {
        bl_jack_client_destroy(client);
        return NULL;
    }
    return client;
}

void bl_jack_client_destroy(bl_jack_client *client) {
    if (client->event_descriptor >= 0) {
        close(client->event_descriptor);
    }
    pthread_mutex_destroy(&client->latencies.lock);
    bl_arena_free(&client->latencies.arena);
    bl_midi_queue_destroy(client->sent_midi);
    free(client);
}

void bl_jack_client_prepare(bl_jack_client *client) {
    client->playing = NULL;
    client->written_count = 0;
    client->written_midi_count = 0;
    client->read_midi_count = 0;
    atomic_store(&client->has_thread, false);
    atomic_store(&client->is_in_cycle, false);
}

/* The process thread first sets `is_in_cycle` and then reads the kernel; here the kernel is set
   first. Both orders are sequentially consistent, so one thread always sees the other. */
bool bl_jack_client_set_kernel(bl_jack_client *client, bl_kernel *kernel) {
    atomic_store(&client->kernel, kernel);
    return !atomic_load(&client->is_in_cycle);
}

static int create_thread(void *context, pthread_t *thread, void *(*start)(void *), void *argument) {
    bl_jack_client *client = context;
    const bl_jack_library *library = client->library;
    int priority = library->jack_client_real_time_priority(client->jack);
    return library->jack_client_create_thread(
        client->jack, thread, priority, library->jack_is_realtime(client->jack), start, argument);
}

bl_helper_threads *bl_jack_client_start_helpers(bl_jack_client *client, bl_kernel *kernel,
                                                uint32_t count) {
    return bl_helper_threads_start(kernel, count, create_thread, client);
}

/* The process thread first counts a cycle and then reads `awaits_cycle`; here the flag is set
   before the count is read. Both orders are sequentially consistent, so one thread always sees the
   other. */
uint64_t bl_jack_client_request_cycle(bl_jack_client *client) {
    atomic_store(&client->awaits_cycle, true);
    return atomic_load(&client->cycles_finished);
}

bl_jack_saved_state bl_jack_client_saved_state(const bl_jack_client *client) {
    return (bl_jack_saved_state){
        .xruns = atomic_load(&client->xruns),
        .midi_lost = bl_jack_client_midi_lost(client),
        .midi_malformed = bl_jack_client_midi_malformed(client),
        .transport_frame = client->music.expected_frame,
        .transport_moves = (client->music.transport.flags & BL_TRANSPORT_MOVING) != 0,
    };
}

void bl_jack_client_restore_state(bl_jack_client *client, const bl_jack_saved_state *past) {
    atomic_store(&client->xruns, past->xruns);
    atomic_store(&client->midi_lost, past->midi_lost);
    atomic_store(&client->midi_malformed, past->midi_malformed);
    client->music.expected_frame = past->transport_frame;
    client->music.transport.flags = past->transport_moves ? BL_TRANSPORT_MOVING : 0;
}

int bl_jack_client_event_descriptor(const bl_jack_client *client) {
    return client->event_descriptor;
}

bool bl_jack_client_is_shut_down(const bl_jack_client *client) {
    return atomic_load(&client->is_shut_down);
}

bl_jack_events bl_jack_client_pop_events(bl_jack_client *client) {
    uint64_t rung;
    (void)!read(client->event_descriptor, &rung, sizeof rung);
    bl_jack_events events = {
        .kinds = atomic_exchange_explicit(&client->events, 0, memory_order_acquire),
        .buffer_size = atomic_load(&client->buffer_size),
        .sample_rate = atomic_load(&client->sample_rate),
        .freewheeling = atomic_load(&client->freewheeling),
        .xruns = atomic_load(&client->xruns),
        .xrun_delay = atomic_load_explicit(&client->xrun_delay, memory_order_relaxed),
        .cycles = atomic_load(&client->cycles_finished),
    };
    if (events.kinds & BL_JACK_EVENT_SHUTDOWN) {
        snprintf(events.shutdown_reason, sizeof events.shutdown_reason, "%s",
                 client->shutdown_reason);
    }
    return events;
}

bool bl_jack_client_pop_registration(bl_jack_client *client, jack_port_id_t *port) {
    uint32_t read = atomic_load_explicit(&client->registrations_read, memory_order_relaxed);
    if (read == atomic_load_explicit(&client->registrations_written, memory_order_acquire)) {
        return false;
    }
    *port = client->registrations[read % BL_JACK_REGISTRATIONS];
    atomic_store_explicit(&client->registrations_read, read + 1, memory_order_release);
    return true;
}

bool bl_jack_client_thread_place(const bl_jack_client *client, int *priority, int *processor) {
    int policy = -1;
    struct sched_param parameters;
    if (!atomic_load_explicit(&client->has_thread, memory_order_acquire) ||
        pthread_getschedparam(client->thread, &policy, &parameters) != 0) {
        return false;
    }
    *priority = policy == SCHED_FIFO || policy == SCHED_RR ? parameters.sched_priority : 0;
    *processor = atomic_load_explicit(&client->processor, memory_order_relaxed);
    return true;
}

bool bl_jack_client_pin_thread(const bl_jack_client *client, int processor) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(processor, &processors);
    return atomic_load_explicit(&client->has_thread, memory_order_acquire) &&
           pthread_setaffinity_np(client->thread, sizeof processors, &processors) == 0;
}

bool bl_jack_client_origin(const bl_jack_client *client, uint32_t *frame_time) {
    int64_t origin = atomic_load_explicit(&client->origin, memory_order_relaxed);
    *frame_time = (uint32_t)origin;
    return origin >= 0;
}

uint64_t bl_jack_client_midi_lost(const bl_jack_client *client) {
    return atomic_load_explicit(&client->midi_lost, memory_order_relaxed);
}

uint64_t bl_jack_client_midi_malformed(const bl_jack_client *client) {
    return atomic_load_explicit(&client->midi_malformed, memory_order_relaxed);
}

void bl_jack_client_set_tempo(bl_jack_client *client, double tempo) {
    atomic_store_explicit(&client->tempo, tempo, memory_order_relaxed);
}

double bl_jack_client_tempo(const bl_jack_client *client, bool *is_anothers) {
    *is_anothers = atomic_load_explicit(&client->follows_timebase, memory_order_relaxed);
    return atomic_load_explicit(&client->present_tempo, memory_order_relaxed);
}

uint32_t bl_jack_client_transport(const bl_jack_client *client, bool *rolls) {
    uint64_t transport = atomic_load_explicit(&client->transport, memory_order_relaxed);
    *rolls = (transport & 1) != 0;
    return (uint32_t)(transport >> 1);
}

bool bl_jack_client_become_timebase_master(bl_jack_client *client) {
    atomic_store_explicit(&client->is_timebase_master, true, memory_order_relaxed);
    bool is_ours = client->library->jack_set_timebase_callback(
                       client->jack, 1, bl_jack_update_timebase, client) == 0;
    atomic_store_explicit(&client->is_timebase_master, is_ours, memory_order_relaxed);
    return is_ours;
}
