/* A rack as a unit: a cycle. */
#include "unit.h"

#include "cycle/kernel_state.h"

static bool send_midi(void *context, const bl_midi_message *message) BL_NONBLOCKING {
    const bl_nested_rack *self = context;
    return self->host->send_midi &&
           self->host->send_midi(self->host->context, self->part_time + message->frame,
                                 (uint8_t)message->port, message->length, message->data) == BL_OK;
}

/* Points the rack's inputs to the host's samples. */
static bl_status fetch_inputs(bl_nested_rack *self, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, const bl_render_host *host) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    uint32_t first = 0;
    for (uint32_t bus = 0; bus < plan->input_count; bus += 1) {
        uint32_t count = plan->inputs[bus];
        bl_buffers buffers = {count, self->inputs + first};
        bool is_there = host->inputs != NULL && host->inputs[bus].channels != NULL;
        for (uint32_t channel = 0; channel < count; channel += 1) {
            buffers.channels[channel] = is_there ? host->inputs[bus].channels[channel]
                                                 : self->input_memory[first + channel];
        }
        bl_status status =
            is_there ? BL_OK
                     : host->pull_input(host->context, flags, timestamp, frames, bus, &buffers);
        if (status != BL_OK && status != BL_ERROR_NO_CONNECTION) {
            return status;
        }
        first += count;
    }
    return BL_OK;
}

/* The host's memory serves the only output bus; of several, only one is asked for at a time. */
static void point_outputs(bl_nested_rack *self, const bl_buffers *output) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    uint32_t place = 0;
    for (uint32_t bus = 0; bus < plan->output_count; bus += 1) {
        for (uint32_t channel = 0; channel < plan->outputs[bus]; channel += 1) {
            float *given = plan->output_count == 1 ? output->channels[channel] : NULL;
            self->outputs[place] = given != NULL ? given : self->output_memory[place];
            place += 1;
        }
    }
}

static void advance(float **channels, const uint32_t *counts, uint32_t bus_count,
                    uint32_t frames) BL_NONBLOCKING {
    uint32_t total = 0;
    for (uint32_t bus = 0; bus < bus_count; bus += 1) {
        total += counts[bus];
    }
    for (uint32_t channel = 0; channel < total; channel += 1) {
        channels[channel] += frames;
    }
}

static const bl_exposed *exposed_by(const bl_nested_rack *self,
                                    const bl_event *event) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    bool is_there = bl_event_is_parameter(event) && event->parameter.address < plan->exposed_count;
    return is_there ? &plan->exposed[event->parameter.address] : NULL;
}

static bool is_bypass(const bl_nested_rack *self, const bl_event *event) BL_NONBLOCKING {
    const bl_exposed *exposed = exposed_by(self, event);
    return exposed != NULL && exposed->address == BL_CONTROL_BYPASS;
}

static void send_parameter(bl_nested_rack *self, const bl_event *event,
                           const bl_exposed *exposed) BL_NONBLOCKING {
    bl_command command = {.type = BL_COMMAND_SCHEDULE, .node = exposed->unit, .event = *event};
    command.event.parameter.address = exposed->address;
    if (exposed->address == BL_CONTROL_BYPASS) {
        command.type = BL_COMMAND_SET_BYPASS;
        command.bypassed = event->parameter.value >= 0.5f;
    }
    bl_kernel_send(self->rack.kernel, &command);
}

/* Hands the events before `end` to the kernel; returns the number of messages. */
static uint32_t hand_events(bl_nested_rack *self, const bl_event **events,
                            int64_t end) BL_NONBLOCKING {
    uint32_t count = 0;
    for (; *events != NULL && (*events)->sample_time < end; *events = (*events)->next) {
        const bl_event *event = *events;
        const bl_exposed *exposed = exposed_by(self, event);
        int64_t frame = event->sample_time - self->part_time;
        bl_midi_message message = {.frame = frame > 0 ? (uint32_t)frame : 0};
        if (exposed != NULL) {
            send_parameter(self, event, exposed);
        } else if (event->type == BL_EVENT_MIDI) {
            message.port = event->midi.cable;
            message.length = event->midi.length;
            message.data = event->midi.bytes;
        } else if (event->type == BL_EVENT_SYSTEM_EXCLUSIVE) {
            message.port = event->system_exclusive.cable;
            message.length = event->system_exclusive.length;
            message.data = event->system_exclusive.data;
        }
        if (message.data != NULL && count < BL_NESTED_MOST_MESSAGES) {
            self->messages[count++] = message;
        }
    }
    return count;
}

/* The next bypass after the first frame of this part, which begins a part of its own: the kernel
   bypasses from the first frame of a cycle on. */
static int64_t part_end(const bl_nested_rack *self, const bl_event *events,
                        int64_t end) BL_NONBLOCKING {
    for (; events != NULL && events->sample_time < end; events = events->next) {
        if (events->sample_time > self->part_time && is_bypass(self, events)) {
            return events->sample_time;
        }
    }
    return end;
}

/* Renders the part that is `offset` frames into the host's cycle. */
static void render_part(bl_nested_rack *self, uint32_t flags, uint32_t offset, uint32_t frames,
                        uint32_t messages) BL_NONBLOCKING {
    const bl_render_host *host = self->host;
    bl_cycle cycle = {.flags = flags,
                      .frames = frames,
                      .inputs = (const float *const *)self->inputs,
                      .outputs = self->outputs,
                      .midi_count = messages,
                      .midi = self->messages,
                      .send_midi = send_midi,
                      .midi_context = self,
                      .musical_context = host->musical_context,
                      .transport_state = host->transport_state};
    bl_music music;
    if (offset > 0) {
        bl_update_music(&music, &cycle, offset, self->rack.sample_rate);
        cycle.musical_context = host->musical_context != NULL ? &music.context : NULL;
        cycle.transport_state = host->transport_state != NULL ? &music.transport : NULL;
    }
    bl_kernel_set_sample_time(self->rack.kernel, self->part_time);
    if ((flags & BL_RENDER_OFFLINE) != 0) {
        bl_kernel_begin_cycle_offline(self->rack.kernel);
    } else {
        bl_kernel_begin_cycle(self->rack.kernel);
    }
    bl_kernel_render(self->rack.kernel, &cycle);
}

static bl_status render_cycle(bl_nested_rack *self, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, const bl_buffers *output, const bl_event *events,
                              const bl_render_host *host) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    bl_status status = fetch_inputs(self, flags, timestamp, frames, host);
    if (status != BL_OK) {
        return status;
    }
    point_outputs(self, output);
    self->host = host;
    self->part_time = timestamp->sample_time;
    int64_t end = timestamp->sample_time + frames;
    while (self->part_time < end) {
        int64_t next = part_end(self, events, end);
        uint32_t count = (uint32_t)(next - self->part_time);
        uint32_t messages = hand_events(self, &events, next);
        render_part(self, flags, (uint32_t)(self->part_time - timestamp->sample_time), count,
                    messages);
        advance(self->inputs, plan->inputs, plan->input_count, count);
        advance(self->outputs, plan->outputs, plan->output_count, count);
        self->part_time = next;
    }
    return BL_OK;
}

/* Gives the host the samples of a bus that are not in its memory yet. */
static void hand_out(const bl_nested_rack *self, uint32_t bus, uint32_t frames,
                     bl_buffers *output) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    uint32_t first = 0;
    for (uint32_t before = 0; before < bus; before += 1) {
        first += plan->outputs[before];
    }
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *own = self->output_memory[first + channel];
        if (output->channels[channel] == NULL) {
            output->channels[channel] = own;
        } else if (plan->output_count > 1) {
            memcpy(output->channels[channel], own, frames * sizeof(float));
        }
    }
}

bl_status bl_nested_rack_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                                uint32_t frames, uint32_t bus, bl_buffers *output,
                                const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {
    bl_nested_rack *self = (bl_nested_rack *)unit;
    uint32_t bus_count = self->component->plan.output_count;
    if (!self->rack.plays) {
        return BL_ERROR_NOT_ALLOCATED;
    }
    if (frames > self->rack.block) {
        return BL_ERROR_TOO_MANY_FRAMES;
    }
    if (bus >= bus_count && bus > 0) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    uint64_t bit = (uint64_t)1 << bus;
    if (self->cycle_time != timestamp->sample_time || self->rendered == 0 ||
        (self->rendered & bit) != 0) {
        bl_status status = render_cycle(self, flags, timestamp, frames, output, events, host);
        if (status != BL_OK) {
            return status;
        }
        self->cycle_time = timestamp->sample_time;
        self->rendered = 0;
    }
    self->rendered |= bit;
    hand_out(self, bus, frames, output);
    return BL_OK;
}
