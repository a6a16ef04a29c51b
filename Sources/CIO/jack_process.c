#define _GNU_SOURCE
#include <sched.h>
#include <string.h>

#include "jack_client_private.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"
/* Waits in freewheel mode, the only time when the process thread may: there is no deadline, and a
   unit fed by a thread of its own would have no samples. */
static void wait_for_fed_units(const bl_jack_ports *ports, uint32_t frames) BL_NONBLOCKING {
    BL_ALLOW_WAITING();
    for (uint32_t index = 0; index < ports->fed_unit_count; index += 1) {
        const bl_jack_fed_unit *fed = &ports->fed_units[index];
        if (fed->descriptor->wait_until_ready != NULL) {
            fed->descriptor->wait_until_ready(fed->unit, frames);
        }
    }
    BL_FORBID_WAITING();
}

/* Records this thread and its processor, which costs two reads of registers. */
static void note_thread(bl_jack_client *client) BL_NONBLOCKING {
    atomic_store_explicit(&client->processor, sched_getcpu(), memory_order_relaxed);
    if (!atomic_load_explicit(&client->has_thread, memory_order_relaxed)) {
        client->thread = pthread_self();
        atomic_store_explicit(&client->has_thread, true, memory_order_release);
    }
}

/* Signals the end of a cycle that the control side waits for: one write, and only in this case. */
static void end_cycle(bl_jack_client *client) BL_NONBLOCKING {
    atomic_store(&client->is_in_cycle, false);
    atomic_fetch_add(&client->cycles_finished, 1);
    if (atomic_load(&client->awaits_cycle)) {
        atomic_store(&client->awaits_cycle, false);
        BL_ALLOW_WAITING();
        bl_jack_notify(client, BL_JACK_EVENT_CYCLE);
        BL_FORBID_WAITING();
    }
}
#pragma clang diagnostic pop

/* Silences the ports written before: JACK would repeat their last buffers for ever. */
static void silence_written(bl_jack_client *client, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < client->written_count; index += 1) {
        float *buffer = client->library->jack_port_get_buffer(client->written[index], frames);
        if (buffer != NULL) {
            memset(buffer, 0, frames * sizeof(float));
        }
    }
    client->written_count = 0;
    for (uint32_t index = 0; index < client->written_midi_count; index += 1) {
        void *buffer = client->library->jack_port_get_buffer(client->written_midi[index], frames);
        if (buffer != NULL) {
            client->library->jack_midi_clear_buffer(buffer);
        }
    }
    client->written_midi_count = 0;
}

/* Ends the notes of MIDI inputs that were replaced or lost a cable. */
static void end_notes(bl_jack_client *client, bl_kernel *kernel,
                      const bl_jack_ports *ports) BL_NONBLOCKING {
    for (uint32_t port = 0; port < client->read_midi_count; port += 1) {
        if (port >= ports->midi_input_count ||
            ports->midi_inputs[port] != client->read_midi[port]) {
            bl_kernel_end_notes(kernel, port);
        }
    }
    uint32_t written = atomic_load_explicit(&client->cuts_written, memory_order_acquire);
    bool are_all = written - client->cuts_read > BL_JACK_MOST_CUTS;
    for (uint32_t port = 0; port < ports->midi_input_count; port += 1) {
        bool is_cut = are_all;
        for (uint32_t cut = client->cuts_read; !is_cut && cut != written; cut += 1) {
            is_cut =
                ports->midi_inputs[port] ==
                atomic_load_explicit(&client->cuts[cut % BL_JACK_MOST_CUTS], memory_order_relaxed);
        }
        if (is_cut) {
            bl_kernel_end_notes(kernel, port);
        }
    }
    client->cuts_read = written;
    uint32_t count = ports->midi_input_count;
    client->read_midi_count = count < BL_JACK_MAXIMUM_OUTPUTS ? count : BL_JACK_MAXIMUM_OUTPUTS;
    memcpy(client->read_midi, ports->midi_inputs,
           client->read_midi_count * sizeof *client->read_midi);
}

/* Reads the ports' buffers; false if a port has none, since it has just been removed. */
static bool get_buffers(const bl_jack_library *library, bl_jack_ports *ports,
                        uint32_t frames) BL_NONBLOCKING {
    bool complete = true;
    for (uint32_t index = 0; index < ports->input_count; index += 1) {
        ports->input_buffers[index] = library->jack_port_get_buffer(ports->inputs[index], frames);
        complete = complete && ports->input_buffers[index] != NULL;
    }
    for (uint32_t index = 0; index < ports->output_count; index += 1) {
        ports->output_buffers[index] = library->jack_port_get_buffer(ports->outputs[index], frames);
        complete = complete && ports->output_buffers[index] != NULL;
    }
    return complete;
}

static void play(bl_jack_client *client, bl_kernel *kernel, bl_jack_ports *ports,
                 uint32_t frames) BL_NONBLOCKING {
    const bl_jack_library *library = client->library;
    uint32_t sent = bl_jack_midi_read_sent(client, ports, client->midi);
    bl_jack_midi_result midi = bl_jack_midi_merge(library, ports, frames, client->midi + sent);
    atomic_fetch_add_explicit(&client->midi_lost, midi.lost, memory_order_relaxed);
    atomic_fetch_add_explicit(&client->midi_malformed, midi.malformed, memory_order_relaxed);

    double own = atomic_load_explicit(&client->tempo, memory_order_relaxed);
    bl_jack_read_transport(&client->music, library, client->jack, frames,
                           own > 0 ? own : ports->tempo,
                           atomic_load_explicit(&client->is_timebase_master, memory_order_relaxed));
    atomic_store_explicit(&client->present_tempo, client->music.context.tempo,
                          memory_order_relaxed);
    atomic_store_explicit(&client->follows_timebase, client->music.follows_another,
                          memory_order_relaxed);
    const bl_transport_state *transport = &client->music.transport;
    atomic_store_explicit(&client->transport,
                          (uint64_t)transport->sample_position << 1 |
                              ((transport->flags & BL_TRANSPORT_MOVING) != 0),
                          memory_order_relaxed);
    bl_jack_midi_clear(library, ports, frames);
    bl_jack_midi_writer writer = {library, ports};
    bl_cycle cycle = {
        .flags = 0,
        .frames = frames,
        .inputs = ports->input_buffers,
        .outputs = ports->output_buffers,
        .midi_count = sent + midi.count,
        .midi = client->midi,
        .send_midi = bl_jack_midi_write,
        .midi_context = &writer,
        .musical_context = &client->music.context,
        .transport_state = &client->music.transport,
    };
    if (atomic_load_explicit(&client->freewheeling, memory_order_relaxed)) {
        cycle.flags |= BL_RENDER_OFFLINE;
        wait_for_fed_units(ports, frames);
    }
    uint32_t origin =
        library->jack_last_frame_time(client->jack) - (uint32_t)bl_kernel_sample_time(kernel);
    atomic_store_explicit(&client->origin, origin, memory_order_relaxed);
    bl_kernel_render(kernel, &cycle);
}

void bl_jack_update_timebase(jack_transport_state_t state, jack_nframes_t frames,
                             jack_position_t *position, int is_new, void *context) BL_NONBLOCKING {
    (void)state, (void)frames, (void)is_new;
    bl_jack_client *client = context;
    if (client->music.tempo > 0) {
        bl_jack_write_beats(&client->music, position);
    }
}

int bl_jack_process(jack_nframes_t frames, void *context) BL_NONBLOCKING {
    bl_jack_client *client = context;
    note_thread(client);
    atomic_store(&client->is_in_cycle, true);
    bl_kernel *kernel = atomic_load(&client->kernel);
    bl_jack_ports *ports = kernel != NULL ? bl_kernel_begin_cycle(kernel) : NULL;
    if (atomic_exchange_explicit(&client->xruns_to_note, 0, memory_order_acquire) > 0 &&
        kernel != NULL) {
        bl_kernel_report_xrun(kernel,
                              atomic_load_explicit(&client->xrun_delay, memory_order_relaxed));
    }
    if (ports != client->playing && frames > 0) {
        silence_written(client, frames);
        client->playing = ports;
    }
    bool plays = ports != NULL && frames > 0 && get_buffers(client->library, ports, frames);
    if (kernel != NULL && !plays) {
        bl_kernel_skip(kernel, frames);
    }
    if (plays) {
        end_notes(client, kernel, ports);
        play(client, kernel, ports, frames);
        client->written_count = ports->output_count;
        memcpy(client->written, ports->outputs, ports->output_count * sizeof *client->written);
        client->written_midi_count = ports->midi_output_count;
        memcpy(client->written_midi, ports->midi_outputs,
               ports->midi_output_count * sizeof *client->written_midi);
    }
    end_cycle(client);
    return 0;
}
