/* Checks and sorts JACK's MIDI of one cycle. */
#include "jack_client_private.h"

/* Returns the earliest unread event, and its port; false when all are read. */
static bool next_event(const bl_jack_library *library, const bl_jack_ports *ports,
                       uint32_t *next_port, jack_midi_event_t *next) BL_NONBLOCKING {
    bool found = false;
    for (uint32_t port = 0; port < ports->midi_input_count; port += 1) {
        jack_midi_event_t event;
        if (ports->midi_positions[port] < ports->midi_counts[port] &&
            library->jack_midi_event_get(&event, ports->midi_buffers[port],
                                         ports->midi_positions[port]) == 0 &&
            (!found || event.time < next->time)) {
            *next = event;
            *next_port = port;
            found = true;
        }
    }
    return found;
}

bl_jack_midi_result bl_jack_midi_merge(const bl_jack_library *library, bl_jack_ports *ports,
                                       uint32_t frames, bl_midi_message *messages) BL_NONBLOCKING {
    bl_jack_midi_result result = {0, 0, 0};
    for (uint32_t port = 0; port < ports->midi_input_count; port += 1) {
        void *buffer = library->jack_port_get_buffer(ports->midi_inputs[port], frames);
        ports->midi_buffers[port] = buffer;
        ports->midi_counts[port] = buffer != NULL ? library->jack_midi_get_event_count(buffer) : 0;
        ports->midi_positions[port] = 0;
    }
    uint32_t port = 0;
    jack_midi_event_t event;
    while (next_event(library, ports, &port, &event)) {
        ports->midi_positions[port] += 1;
        if (!bl_midi_is_whole_message(event.buffer, event.size)) {
            result.malformed += 1;
        } else if (result.count == BL_JACK_MIDI_CAPACITY) {
            result.lost += 1;
        } else {
            messages[result.count] = (bl_midi_message){
                .port = port,
                .frame = event.time < frames ? event.time : frames - 1,
                .length = (uint32_t)event.size,
                .data = event.buffer,
            };
            result.count += 1;
        }
    }
    return result;
}

bool bl_jack_client_send_midi(bl_jack_client *client, uint8_t port, uint32_t length,
                              const uint8_t *bytes) {
    return length <= BL_JACK_LONGEST_SENT_MIDI && bl_midi_is_whole_message(bytes, length) &&
           bl_midi_queue_push(client->sent_midi, 0, port, length, bytes);
}

uint32_t bl_jack_midi_read_sent(bl_jack_client *client, const bl_jack_ports *ports,
                                bl_midi_message *messages) BL_NONBLOCKING {
    uint32_t count = 0, used = 0;
    bl_midi_queue_header header;
    while (count < BL_JACK_SENT_MIDI_CAPACITY && bl_midi_queue_peek(client->sent_midi, &header) &&
           header.length <= BL_JACK_SENT_MIDI_BYTES - used) {
        uint8_t *bytes = client->sent_midi_bytes + used;
        bl_midi_queue_pop(client->sent_midi, bytes);
        /* The graph may have been replaced meanwhile. */
        if (header.cable < ports->midi_input_count) {
            messages[count] =
                (bl_midi_message){.port = header.cable, .length = header.length, .data = bytes};
            count += 1;
            used += header.length;
        }
    }
    return count;
}

void bl_jack_midi_clear(const bl_jack_library *library, bl_jack_ports *ports,
                        uint32_t frames) BL_NONBLOCKING {
    for (uint32_t port = 0; port < ports->midi_output_count; port += 1) {
        void *buffer = library->jack_port_get_buffer(ports->midi_outputs[port], frames);
        if (buffer != NULL) {
            library->jack_midi_clear_buffer(buffer);
        }
        ports->midi_output_buffers[port] = buffer;
    }
}

bool bl_jack_midi_write(void *context, const bl_midi_message *message) BL_NONBLOCKING {
    const bl_jack_midi_writer *writer = context;
    void *buffer = writer->ports->midi_output_buffers[message->port];
    return buffer != NULL && writer->library->jack_midi_event_write(
                                 buffer, message->frame, message->data, message->length) == 0;
}
