/* Renders a cycle. The host checks that the output is finite, as with every unit. */
#include "instance.h"

/* Keeps rare functions out of the plain cycle of a plain plug-in, of which a rack has many. */
#define SELDOM __attribute__((noinline))

static void run_block(bl_instance *self, uint32_t flags, uint32_t frames) BL_NONBLOCKING {
    if (self->ramp_count > 0) {
        bl_instance_move_ramps(self, frames);
    }
    bl_instance_run(self, frames, (flags & (BL_RENDER_OFFLINE | BL_RENDER_MAY_WAIT)) != 0);
}

SELDOM
static bl_status pull(bl_instance *self, uint32_t bus, uint32_t flags,
                      const bl_timestamp *timestamp, uint32_t frames,
                      const bl_render_host *host) BL_NONBLOCKING {
    bl_instance_bus *input = &self->inputs[bus];
    for (uint32_t channel = 0; channel < input->asked; channel += 1) {
        input->pulled[channel] = input->cycle[channel];
    }
    bl_buffers buffers = {input->asked, input->pulled};
    bl_status status = host->pull_input(host->context, flags, timestamp, frames, bus, &buffers);
    if (status != BL_ERROR_NO_CONNECTION) {
        return status;
    }
    /* Silence is the default of CV ports that state no other. */
    for (uint32_t channel = 0; channel < input->asked; channel += 1) {
        float initial = self->plug_in->ports[input->channels[channel].port].initial;
        for (uint32_t frame = 0; frame < frames && initial != 0; frame += 1) {
            input->cycle[channel][frame] = initial;
        }
        input->pulled[channel] = initial != 0 ? input->cycle[channel] : input->pulled[channel];
    }
    return BL_OK;
}

/* Fetches an input bus, offered by the host or pulled: its channels, `asked` of them. */
static bl_status fetch(bl_instance *self, uint32_t bus, uint32_t flags,
                       const bl_timestamp *timestamp, uint32_t frames, const bl_render_host *host,
                       float *const **channels) BL_NONBLOCKING {
    bool is_there = host->inputs != NULL && host->inputs[bus].channels != NULL;
    *channels = is_there ? host->inputs[bus].channels : self->inputs[bus].pulled;
    return is_there ? BL_OK : pull(self, bus, flags, timestamp, frames, host);
}

/* Lets the plug-in read the samples in place; many need 16-byte alignment. */
static void connect_input(bl_instance *self, bl_audio_port *port, const float *samples,
                          uint32_t frames) BL_NONBLOCKING {
    if (((uintptr_t)samples & 15) != 0) {
        memmove(port->memory, samples, frames * sizeof(float));
        samples = port->memory;
    }
    if (samples != port->connected) {
        bl_instance_connect(self, port, samples);
    }
}

static bl_status render_cycle(bl_instance *self, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, const bl_event *events,
                              const bl_render_host *host) BL_NONBLOCKING {
    for (uint32_t bus = 0; bus < self->plug_in->descriptor.input_bus_count; bus += 1) {
        bl_instance_bus *input = &self->inputs[bus];
        float *const *channels = NULL;
        bl_status status = fetch(self, bus, flags, timestamp, frames, host, &channels);
        if (status != BL_OK) {
            return status;
        }
        for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
            uint32_t from = channel < input->asked ? channel : input->asked - 1;
            connect_input(self, &input->channels[channel], channels[from], frames);
        }
    }
    if (self->has_event_ports) {
        bl_instance_clear_event_inputs(self);
        bl_instance_clear_event_outputs(self);
        bl_patch_send(self, 0);
    }
    if (self->follows_time) {
        bl_instance_write_time(self, flags, 0, host);
    }
    for (const bl_event *event = events; event != NULL; event = event->next) {
        int64_t frame = event->sample_time - timestamp->sample_time;
        bl_instance_apply_event(self, event,
                                frame < 0                 ? 0
                                : frame < (int64_t)frames ? (uint32_t)frame
                                                          : frames - 1);
    }
    run_block(self, flags, frames);
    if (self->has_event_ports) {
        bl_patch_follow(self, host, timestamp->sample_time);
        bl_instance_send_midi(self, timestamp->sample_time, frames, host);
    }
    return BL_OK;
}

/* Copies a cycle's inputs, from frame `at`, to offset `place` of the ports' memory. */
static void copy_inputs(bl_instance *self, float *const *const *inputs, uint32_t at, uint32_t place,
                        uint32_t frames) BL_NONBLOCKING {
    size_t size = frames * sizeof(float);
    for (uint32_t bus = 0; bus < self->plug_in->descriptor.input_bus_count; bus += 1) {
        bl_instance_bus *input = &self->inputs[bus];
        for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
            uint32_t from = channel < input->asked ? channel : input->asked - 1;
            memcpy(input->channels[channel].memory + place, inputs[bus][from] + at, size);
        }
    }
}

/* Copies from offset `place` of the ports' memory to a cycle's outputs, from frame `at`. */
static void copy_outputs(bl_instance *self, uint32_t at, uint32_t place,
                         uint32_t frames) BL_NONBLOCKING {
    size_t size = frames * sizeof(float);
    for (uint32_t bus = 0; bus < self->plug_in->descriptor.output_bus_count; bus += 1) {
        bl_instance_bus *output = &self->outputs[bus];
        for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
            memcpy(output->cycle[channel] + at, output->channels[channel].memory + place, size);
        }
    }
}

static bl_status fetch_all(bl_instance *self, uint32_t flags, const bl_timestamp *timestamp,
                           uint32_t frames, const bl_render_host *host,
                           float *const **inputs) BL_NONBLOCKING {
    bl_status status = BL_OK;
    for (uint32_t bus = 0; bus < self->plug_in->descriptor.input_bus_count && status == BL_OK;
         bus += 1) {
        status = fetch(self, bus, flags, timestamp, frames, host, &inputs[bus]);
    }
    return status;
}

/* The frames between the steps of a ramp. */
#define RAMP_PART 32u

/* Renders a cycle in parts from one event to the next, if that does not change the output. */
SELDOM
static bl_status render_parts(bl_instance *self, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, const bl_event *events,
                              const bl_render_host *host) BL_NONBLOCKING {
    float *const *inputs[BL_INSTANCE_MOST_BUSSES];
    bl_status status = fetch_all(self, flags, timestamp, frames, host, inputs);
    if (status != BL_OK) {
        return status;
    }
    for (uint32_t bus = 0; bus < self->plug_in->descriptor.input_bus_count; bus += 1) {
        for (uint32_t channel = 0; channel < self->inputs[bus].channel_count; channel += 1) {
            bl_audio_port *port = &self->inputs[bus].channels[channel];
            connect_input(self, port, port->memory, 0);
        }
    }
    uint32_t end = 0;
    for (uint32_t at = 0; at < frames; at = end) {
        for (; events != NULL && events->sample_time - timestamp->sample_time <= (int64_t)at;
             events = events->next) {
            bl_instance_apply_event(self, events, 0);
        }
        int64_t next = events != NULL ? events->sample_time - timestamp->sample_time : frames;
        uint32_t most = self->ramp_count > 0 && frames - at > RAMP_PART ? at + RAMP_PART : frames;
        end = next < (int64_t)most ? (uint32_t)next : most;
        copy_inputs(self, inputs, at, 0, end - at);
        run_block(self, flags, end - at);
        copy_outputs(self, at, 0, end - at);
    }
    self->is_in_parts = true;
    return BL_OK;
}

/* Renders a cycle in constant blocks: each runs when its last frame has arrived, and is output
   while the next one fills. Blocks are counted from the reset, so that the result does not depend
   on cycles. */
SELDOM
static bl_status render_constant(bl_instance *self, uint32_t flags, const bl_timestamp *timestamp,
                                 uint32_t frames, const bl_event *events,
                                 const bl_render_host *host) BL_NONBLOCKING {
    float *const *inputs[BL_INSTANCE_MOST_BUSSES];
    bl_status status = fetch_all(self, flags, timestamp, frames, host, inputs);
    if (status != BL_OK) {
        return status;
    }
    uint32_t length = 0;
    bl_instance_write_time(self, flags, self->position, host);
    bl_patch_send(self, self->position);
    for (uint32_t at = 0; at < frames; at += length) {
        length = self->constant_block - self->position;
        length = length < frames - at ? length : frames - at;
        int64_t start = timestamp->sample_time + at;
        for (; events != NULL && events->sample_time < start + length; events = events->next) {
            int64_t frame = events->sample_time > start ? events->sample_time - start : 0;
            bl_instance_apply_event(self, events, self->position + (uint32_t)frame);
        }
        copy_inputs(self, inputs, at, self->position, length);
        copy_outputs(self, at, self->position, length);
        bl_instance_send_midi(self, start - self->position, self->position + length, host);
        self->position += length;
        if (self->position == self->constant_block) {
            self->position = 0;
            bl_instance_clear_event_outputs(self);
            run_block(self, flags, self->constant_block);
            bl_patch_follow(self, host, timestamp->sample_time);
            bl_instance_clear_event_inputs(self);
        }
    }
    return BL_OK;
}

/* Notifies the host of a changed latency. */
static void follow_latency(bl_instance *self, const bl_timestamp *timestamp,
                           const bl_render_host *host) BL_NONBLOCKING {
    float latency = self->controls[self->latency_port];
    bool is_stated = self->latency_port < self->plug_in->port_count && latency == latency;
    if (is_stated && latency != self->notified_latency) {
        self->notified_latency = latency;
        bl_notify_times(host, timestamp->sample_time);
    }
}

SELDOM
static void silence(bl_instance *self, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t bus = 0; bus < self->plug_in->descriptor.output_bus_count; bus += 1) {
        for (uint32_t channel = 0; channel < self->outputs[bus].channel_count; channel += 1) {
            memset(self->outputs[bus].cycle[channel], 0, frames * sizeof(float));
        }
    }
}

/* Reconnects the plug-in's outputs to its own memory after plain cycles. */
static void connect_own_outputs(bl_instance *self) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < self->outputs[0].channel_count; channel += 1) {
        bl_audio_port *port = &self->outputs[0].channels[channel];
        if (port->connected != port->memory) {
            bl_instance_connect(self, port, port->memory);
        }
    }
}

static bl_status begin_cycle(bl_instance *self, uint32_t flags, const bl_timestamp *timestamp,
                             uint32_t frames, const bl_event *events,
                             const bl_render_host *host) BL_NONBLOCKING {
    if (self->plain_frames > 0) {
        connect_own_outputs(self);
    }
    /* The plug-in must not run while a state is being restored. */
    if (self->has_gate && atomic_flag_test_and_set_explicit(&self->gate, memory_order_acquire)) {
        self->is_in_parts = self->constant_block > 0 || self->splits;
        silence(self, frames);
        return BL_OK;
    }
    self->is_in_parts = self->constant_block > 0;
    bl_status status = self->constant_block > 0
                           ? render_constant(self, flags, timestamp, frames, events, host)
                       : self->splits && (events != NULL || self->ramp_count > 0)
                           ? render_parts(self, flags, timestamp, frames, events, host)
                           : render_cycle(self, flags, timestamp, frames, events, host);
    if (self->has_gate) {
        atomic_flag_clear_explicit(&self->gate, memory_order_release);
    }
    return status;
}

SELDOM
static bool connect_plain(bl_instance *self, bl_audio_port *port, const float *samples,
                          const float **plain) BL_NONBLOCKING {
    if (samples == NULL || ((uintptr_t)samples & 15) != 0) {
        return false;
    }
    if (samples != port->connected) {
        bl_instance_connect(self, port, samples);
    }
    *plain = samples;
    return true;
}

/* Renders a plain cycle without events in the host's buffers; false if that is not possible. */
static bool render_plain(bl_instance *self, uint32_t frames, const bl_render_host *host,
                         const bl_buffers *output) BL_NONBLOCKING {
    float *const *inputs = self->plain_input_count > 0 ? host->inputs[0].channels : NULL;
    if (inputs == NULL && self->plain_input_count > 0) {
        return false;
    }
    for (uint32_t channel = 0; channel < self->plain_input_count; channel += 1) {
        if (inputs[channel] != self->plain_inputs[channel] &&
            !connect_plain(self, &self->inputs[0].channels[channel], inputs[channel],
                           &self->plain_inputs[channel])) {
            return false;
        }
    }
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        if (output->channels[channel] != self->plain_outputs[channel] &&
            !connect_plain(self, &self->outputs[0].channels[channel], output->channels[channel],
                           &self->plain_outputs[channel])) {
            return false;
        }
    }
    bl_instance_run_plain(self, frames);
    return true;
}

static void hand_out(const bl_instance *self, const bl_instance_bus *bus, uint32_t frames,
                     bl_buffers *output) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *heard = self->is_in_parts ? bus->cycle[channel] : bus->channels[channel].memory;
        if (output->channels[channel] == NULL) {
            output->channels[channel] = heard;
        } else {
            memcpy(output->channels[channel], heard, frames * sizeof(float));
        }
    }
}

bl_status bl_instance_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                             uint32_t frames, uint32_t bus, bl_buffers *output,
                             const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {
    bl_instance *self = (bl_instance *)unit;
    /* The subtraction excludes 0 frames. */
    if (frames - 1 < self->plain_frames && events == NULL && self->ramp_count == 0 && bus == 0 &&
        host->inputs != NULL && render_plain(self, frames, host, output)) {
        follow_latency(self, timestamp, host);
        return BL_OK;
    }
    if (self->handle == NULL) {
        return BL_ERROR_NOT_ALLOCATED;
    }
    if (frames > self->maximum_frames) {
        return BL_ERROR_TOO_MANY_FRAMES;
    }
    uint32_t bus_count = self->plug_in->descriptor.output_bus_count;
    if (bus >= bus_count && bus > 0) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    uint64_t bit = (uint64_t)1 << bus;
    if (self->cycle_time != timestamp->sample_time || self->rendered == 0 ||
        (self->rendered & bit) != 0) {
        self->cycle_time = timestamp->sample_time;
        self->cycle_status = begin_cycle(self, flags, timestamp, frames, events, host);
        follow_latency(self, timestamp, host);
        self->rendered = 0;
    }
    self->rendered |= bit;
    if (self->cycle_status != BL_OK || bus_count == 0) {
        return self->cycle_status;
    }
    hand_out(self, &self->outputs[bus], frames, output);
    return BL_OK;
}
