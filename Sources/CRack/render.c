/* The render function of a rack as a unit. */
#include "unit.h"

#include "cycle/kernel_state.h"

static bool send_midi(void *context, const bl_midi_message *message) BL_NONBLOCKING {
    const bl_nested_rack *self = context;
    return self->host->send_midi &&
           self->host->send_midi(self->host->context, self->cycle_time + message->frame,
                                 (uint8_t)message->port, message->length, message->data) == BL_OK;
}

/* Points the rack's inputs to the host's samples. */
static bl_status fetch_inputs(bl_nested_rack *self, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, const bl_render_host *host) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    uint32_t first = 0;
    for (uint32_t bus = 0; bus < plan->graph.input_count; bus += 1) {
        uint32_t count = plan->graph.input_channel_counts[bus];
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

/* The only output bus uses the host's memory; of several, only one is asked for at a time. */
static void point_outputs(bl_nested_rack *self, const bl_buffers *output) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    uint32_t next = 0;
    for (uint32_t bus = 0; bus < plan->graph.output_count; bus += 1) {
        for (uint32_t channel = 0; channel < plan->graph.output_channel_counts[bus]; channel += 1) {
            float *given = plan->graph.output_count == 1 ? output->channels[channel] : NULL;
            self->outputs[next] = given != NULL ? given : self->output_memory[next];
            next += 1;
        }
    }
}

/* Schedules changes of exposed parameters at their units. */
static void schedule_parameters(const bl_nested_rack *self, const bl_event *events) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    for (; events != NULL; events = events->next) {
        if (!bl_event_is_parameter(events) || events->parameter.address >= plan->exposed_count) {
            continue;
        }
        const bl_exposed *exposed = &plan->exposed[events->parameter.address];
        bl_event event = *events;
        event.parameter.address = exposed->address;
        bl_event_source_schedule(&self->rack.kernel->events,
                                 &self->rack.units[exposed->unit].node->receiver, event, true,
                                 false);
    }
}

/* Notifies the host of a unit's gesture, if the parameter is exposed. */
static void pass_gesture(const bl_nested_rack *self,
                         const bl_gesture_report *gesture) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    for (uint32_t index = 0; index < plan->exposed_count; index += 1) {
        const bl_exposed *exposed = &plan->exposed[index];
        if (exposed->unit == gesture->node && exposed->address == gesture->address) {
            bl_notice notice = {gesture->type, self->cycle_time, index, gesture->value, NULL};
            bl_notify(self->host, &notice);
        }
    }
}

/* Notifies the host if a unit has changed the rack's latency or tail. */
static void follow_times(bl_nested_rack *self) BL_NONBLOCKING {
    uint32_t latency = bl_rack_latency(&self->rack);
    double tail_time = 0;
    for (uint32_t index = 0; index < self->rack.plan->unit_count; index += 1) {
        tail_time += bl_node_tail_time(self->rack.units[index].node);
    }
    if (latency != self->notified_latency || tail_time != self->notified_tail_time) {
        self->notified_latency = latency;
        self->notified_tail_time = tail_time;
        bl_notify_times(self->host, self->cycle_time);
    }
}

/* Passes on the kernel's lost events, and the units' notices. */
static void pass_reports(bl_nested_rack *self) BL_NONBLOCKING {
    bl_report report;
    while (bl_rack_pop_report(&self->rack, &report)) {
        if (report.type == BL_REPORT_EVENTS_LOST && self->host->note_lost) {
            self->host->note_lost(self->host->context, report.events);
        } else if (report.type == BL_REPORT_GESTURE) {
            pass_gesture(self, &report.gesture);
        } else if (report.type == BL_REPORT_LOG) {
            bl_notify_log(self->host, self->cycle_time, report.log.text);
        }
    }
}

static bl_status render_cycle(bl_nested_rack *self, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, const bl_buffers *output, const bl_event *events,
                              const bl_render_host *host) BL_NONBLOCKING {
    bl_status status = fetch_inputs(self, flags, timestamp, frames, host);
    if (status != BL_OK) {
        return status;
    }
    point_outputs(self, output);
    self->host = host;
    self->cycle_time = timestamp->sample_time;
    bl_cycle cycle = {.flags = flags,
                      .frames = frames,
                      .inputs = (const float *const *)self->inputs,
                      .outputs = self->outputs,
                      .events = events,
                      .send_midi = send_midi,
                      .midi_context = self,
                      .musical_context = host->musical_context,
                      .transport_state = host->transport_state};
    bl_kernel *kernel = self->rack.kernel;
    bl_kernel_set_sample_time(kernel, timestamp->sample_time);
    if ((flags & BL_RENDER_OFFLINE) != 0) {
        bl_kernel_begin_cycle_offline(kernel);
    } else {
        bl_kernel_begin_cycle(kernel);
    }
    schedule_parameters(self, events);
    bl_kernel_render(kernel, &cycle);
    pass_reports(self);
    follow_times(self);
    return BL_OK;
}

/* Copies or points a bus's samples to the host if they are not in its memory yet. */
static void hand_out(const bl_nested_rack *self, uint32_t bus, uint32_t frames,
                     bl_buffers *output) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    uint32_t first = 0;
    for (uint32_t before = 0; before < bus; before += 1) {
        first += plan->graph.output_channel_counts[before];
    }
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *own = self->output_memory[first + channel];
        if (output->channels[channel] == NULL) {
            output->channels[channel] = own;
        } else if (plan->graph.output_count > 1) {
            memcpy(output->channels[channel], own, frames * sizeof(float));
        }
    }
}

bl_status bl_nested_rack_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                                uint32_t frames, uint32_t bus, bl_buffers *output,
                                const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {
    bl_nested_rack *self = (bl_nested_rack *)unit;
    uint32_t bus_count = self->component->plan.graph.output_count;
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
        self->rendered = 0;
    }
    self->rendered |= bit;
    hand_out(self, bus, frames, output);
    return BL_OK;
}
