#include "jack_probe.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PORTS = 8, MOST_CAPTURED_MESSAGES = 16384 };

/* idle → (start) armed → (injector sets start_time) running → (capturer) finished */
enum { IDLE, ARMED, RUNNING, FINISHED };

struct bl_probe {
    const bl_jack_library *library;
    jack_client_t *injector, *capturer;
    uint32_t output_count, midi_count, input_count, midi_input_count;
    jack_port_t *outputs[MOST_PORTS], *midi[MOST_PORTS], *inputs[MOST_PORTS];
    jack_port_t *midi_inputs[MOST_PORTS];

    _Atomic int state;
    _Atomic int at_work;             /* clients that still use the fields below */
    bool has_injected, has_captured; /* each used by its client only */
    /* The next cycle's frame in the run; each used by its client only. */
    int64_t inject_frame, capture_frame;
    bool is_capturing;
    uint32_t start_cycle;             /* frame time of the injector's first cycle */
    uint32_t inject_end, capture_end; /* frame times of the clients' last cycles */
    uint32_t start_time;
    uint32_t frames;
    uint32_t midi_port;
    uint32_t message_count;
    float *output;
    float *recording;
    bl_probe_message *messages;
    _Atomic uint32_t captured;
    uint32_t captured_message_count;
    bl_probe_message captured_messages[MOST_CAPTURED_MESSAGES];
};

/* Called by each client once it has ended the run and will not use it again. */
static void leave_run(bl_probe *probe) {
    if (atomic_fetch_sub(&probe->at_work, 1) == 1) {
        atomic_store(&probe->state, FINISHED);
    }
}

static void inject_audio(const bl_probe *probe, bool running, int64_t first, uint32_t frames) {
    for (uint32_t port = 0; port < probe->output_count; port += 1) {
        float *buffer = probe->library->jack_port_get_buffer(probe->outputs[port], frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            int64_t index = first + frame;
            bool inside = running && index >= 0 && index < probe->frames;
            buffer[frame] = inside ? probe->output[(size_t)port * probe->frames + index] : 0;
        }
    }
}

static void inject_midi(const bl_probe *probe, bool running, int64_t first, uint32_t frames) {
    for (uint32_t port = 0; port < probe->midi_count; port += 1) {
        void *buffer = probe->library->jack_port_get_buffer(probe->midi[port], frames);
        probe->library->jack_midi_clear_buffer(buffer);
        if (!running || port != probe->midi_port) {
            continue;
        }
        for (uint32_t index = 0; index < probe->message_count; index += 1) {
            const bl_probe_message *message = &probe->messages[index];
            int64_t due = (int64_t)message->frame - first;
            if (due >= 0 && due < frames) {
                probe->library->jack_midi_event_write(buffer, (jack_nframes_t)due, message->bytes,
                                                      message->length);
            }
        }
    }
}

static int inject(jack_nframes_t frames, void *context) {
    bl_probe *probe = context;
    uint32_t now = probe->library->jack_last_frame_time(probe->injector);
    int state = atomic_load(&probe->state);
    if (state == ARMED) {
        /* Start two cycles later, so that the capturer sees the run, and within a cycle. */
        probe->start_cycle = now;
        probe->inject_frame = -2 * (int64_t)frames - 3;
        probe->capture_frame = probe->inject_frame;
        probe->has_injected = false;
        state = RUNNING;
        atomic_store(&probe->state, RUNNING);
    }
    bool running = state == RUNNING && !probe->has_injected;
    int64_t first = probe->inject_frame;
    probe->inject_frame += frames;
    inject_audio(probe, running, first, frames);
    inject_midi(probe, running, first, frames);
    if (running && first + frames >= probe->frames) {
        probe->inject_end = now;
        probe->has_injected = true;
        leave_run(probe);
    }
    return 0;
}

static void capture_midi(bl_probe *probe, int64_t first, uint32_t frames) {
    const bl_jack_library *library = probe->library;
    for (uint32_t port = 0; port < probe->midi_input_count; port += 1) {
        void *buffer = library->jack_port_get_buffer(probe->midi_inputs[port], frames);
        uint32_t count = library->jack_midi_get_event_count(buffer);
        for (uint32_t index = 0; index < count; index += 1) {
            jack_midi_event_t event;
            bl_probe_message *message = &probe->captured_messages[probe->captured_message_count];
            if (probe->captured_message_count == MOST_CAPTURED_MESSAGES ||
                library->jack_midi_event_get(&event, buffer, index) != 0) {
                return;
            }
            int64_t frame = first + event.time;
            if (frame < 0 || frame >= probe->frames || event.size > BL_PROBE_MIDI_SIZE) {
                continue;
            }
            *message = (bl_probe_message){
                .frame = (uint32_t)frame, .port = port, .length = (uint32_t)event.size};
            memcpy(message->bytes, event.buffer, event.size);
            probe->captured_message_count += 1;
        }
    }
}

static int capture(jack_nframes_t frames, void *context) {
    bl_probe *probe = context;
    const bl_jack_library *library = probe->library;
    if (atomic_load(&probe->state) != RUNNING || probe->has_captured) {
        return 0;
    }
    uint32_t now = library->jack_last_frame_time(probe->capturer);
    if (!probe->is_capturing) {
        probe->is_capturing = true;
        probe->capture_frame += now - probe->start_cycle;
    }
    int64_t first = probe->capture_frame;
    probe->capture_frame += frames;
    for (uint32_t port = 0; port < probe->input_count; port += 1) {
        const float *buffer = library->jack_port_get_buffer(probe->inputs[port], frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            int64_t index = first + frame;
            if (index >= 0 && index < probe->frames) {
                probe->recording[(size_t)port * probe->frames + index] = buffer[frame];
            }
        }
    }
    capture_midi(probe, first, frames);
    int64_t from = first > 0 ? first : 0;
    int64_t to = first + frames < probe->frames ? first + frames : probe->frames;
    probe->captured += to > from ? (uint32_t)(to - from) : 0;
    if (first + frames >= probe->frames) {
        probe->start_time = now - (uint32_t)first;
        probe->capture_end = now;
        probe->has_captured = true;
        leave_run(probe);
    }
    return 0;
}

static bool register_ports(const bl_jack_library *library, jack_client_t *client,
                           jack_port_t **ports, uint32_t count, const char *prefix,
                           const char *type, unsigned long flags) {
    for (uint32_t index = 0; index < count; index += 1) {
        char name[32];
        snprintf(name, sizeof name, "%s_%u", prefix, index + 1);
        ports[index] = library->jack_port_register(client, name, type, flags, 0);
        if (ports[index] == NULL) {
            return false;
        }
    }
    return true;
}

bl_probe *bl_probe_create(const bl_jack_library *library, const char *server, uint32_t output_count,
                          uint32_t midi_count, uint32_t input_count, uint32_t midi_input_count) {
    if (output_count > MOST_PORTS || midi_count > MOST_PORTS || input_count > MOST_PORTS ||
        midi_input_count > MOST_PORTS) {
        return NULL;
    }
    bl_probe *probe = calloc(1, sizeof *probe);
    if (probe == NULL) {
        return NULL;
    }
    probe->library = library;
    probe->output_count = output_count;
    probe->midi_count = midi_count;
    probe->input_count = input_count;
    probe->midi_input_count = midi_input_count;
    jack_status_t status;
    probe->injector = bl_jack_open(library, "injector", server, &status);
    probe->capturer = bl_jack_open(library, "capturer", server, &status);
    if (probe->injector == NULL || probe->capturer == NULL ||
        !register_ports(library, probe->injector, probe->outputs, output_count, "out",
                        JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput) ||
        !register_ports(library, probe->injector, probe->midi, midi_count, "midi",
                        JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput) ||
        !register_ports(library, probe->capturer, probe->inputs, input_count, "in",
                        JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput) ||
        !register_ports(library, probe->capturer, probe->midi_inputs, midi_input_count, "midi",
                        JACK_DEFAULT_MIDI_TYPE, JackPortIsInput) ||
        library->jack_set_process_callback(probe->injector, inject, probe) != 0 ||
        library->jack_set_process_callback(probe->capturer, capture, probe) != 0 ||
        library->jack_activate(probe->injector) != 0 ||
        library->jack_activate(probe->capturer) != 0) {
        bl_probe_destroy(probe);
        return NULL;
    }
    return probe;
}

void bl_probe_destroy(bl_probe *probe) {
    if (probe->injector != NULL) {
        probe->library->jack_client_close(probe->injector);
    }
    if (probe->capturer != NULL) {
        probe->library->jack_client_close(probe->capturer);
    }
    free(probe->output);
    free(probe->recording);
    free(probe->messages);
    free(probe);
}

jack_client_t *bl_probe_client(const bl_probe *probe) { return probe->capturer; }

bool bl_probe_start(bl_probe *probe, const float *output, uint32_t frames, uint32_t midi_port,
                    const bl_probe_message *messages, uint32_t message_count) {
    int state = atomic_load(&probe->state);
    if (state != IDLE && state != FINISHED) {
        return false;
    }
    free(probe->output);
    free(probe->recording);
    free(probe->messages);
    size_t played = (size_t)probe->output_count * frames;
    probe->output = calloc(played + 1, sizeof(float));
    probe->recording = calloc((size_t)probe->input_count * frames + 1, sizeof(float));
    probe->messages = calloc((size_t)message_count + 1, sizeof *messages);
    if (probe->output == NULL || probe->recording == NULL || probe->messages == NULL) {
        return false;
    }
    memcpy(probe->output, output, played * sizeof(float));
    if (message_count > 0) {
        memcpy(probe->messages, messages, message_count * sizeof *messages);
    }
    probe->frames = frames;
    probe->midi_port = midi_port;
    probe->message_count = message_count;
    probe->captured = 0;
    probe->captured_message_count = 0;
    probe->has_captured = false;
    probe->is_capturing = false;
    atomic_store(&probe->at_work, 2);
    atomic_store(&probe->state, ARMED);
    return true;
}

bool bl_probe_is_finished(const bl_probe *probe) { return atomic_load(&probe->state) == FINISHED; }

bool bl_probe_is_complete(const bl_probe *probe) {
    return probe->captured == probe->frames && probe->inject_end == probe->capture_end;
}

uint32_t bl_probe_captured(const bl_probe *probe) { return probe->captured; }

const float *bl_probe_recording(const bl_probe *probe, uint32_t input) {
    return probe->recording + (size_t)input * probe->frames;
}

const bl_probe_message *bl_probe_messages(const bl_probe *probe, uint32_t *count) {
    *count = probe->captured_message_count;
    return probe->captured_messages;
}

uint32_t bl_probe_start_time(const bl_probe *probe) { return probe->start_time; }
