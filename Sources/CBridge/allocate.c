/* Allocates and connects an instance's ports, and makes its first run. */
#include "instance.h"

/* Memory of one cycle is contiguous: a chain of small plug-ins is as fast as its cache misses. */
static bool prepare_bus(bl_instance *self, bl_instance_bus *bus, uint32_t own, uint32_t asked) {
    uint32_t block = self->constant_block > 0 ? self->constant_block : self->maximum_frames;
    uint32_t most = asked > own ? asked : own;
    uint8_t *memory = bl_arena_allocate(
        &self->arena, most, sizeof *bus->channels + sizeof *bus->cycle + sizeof *bus->pulled);
    if (memory == NULL) {
        return false;
    }
    bus->channel_count = own;
    bus->asked = asked;
    bus->channels = (bl_audio_port *)memory;
    bus->cycle = (float **)(void *)(bus->channels + most);
    bus->pulled = bus->cycle + most;
    for (uint32_t channel = 0; channel < most; channel += 1) {
        float *samples = bl_arena_allocate(&self->arena, block, sizeof(float));
        bus->channels[channel].memory = bus->cycle[channel] = samples;
        if (self->constant_block > 0 || self->splits) {
            bus->cycle[channel] =
                bl_arena_allocate(&self->arena, self->maximum_frames, sizeof(float));
        }
    }
    return !self->arena.failed;
}

static bool prepare_busses(bl_instance *self, const bl_render_configuration *configuration) {
    const bl_unit_descriptor *unit = &self->plug_in->descriptor;
    uint32_t inputs = unit->input_bus_count, outputs = unit->output_bus_count;
    bool has_memory = true;
    self->inputs = bl_arena_allocate(&self->arena, inputs + outputs, sizeof *self->inputs);
    self->outputs = self->inputs + inputs;
    for (uint32_t bus = 0; bus < inputs && self->inputs != NULL; bus += 1) {
        has_memory = has_memory && prepare_bus(self, &self->inputs[bus],
                                               unit->input_busses[bus].default_channel_count,
                                               configuration->input_channel_counts[bus]);
    }
    for (uint32_t bus = 0; bus < outputs && self->inputs != NULL; bus += 1) {
        uint32_t count = unit->output_busses[bus].default_channel_count;
        has_memory = has_memory && prepare_bus(self, &self->outputs[bus], count, count);
    }
    return has_memory && self->inputs != NULL;
}

static void connect_audio(bl_instance *self, uint32_t index, const bl_plug_in_port *port) {
    bl_instance_bus *bus = port->is_input ? &self->inputs[port->bus] : &self->outputs[port->bus];
    bl_audio_port *audio = &bus->channels[port->channel];
    audio->port = index;
    audio->connected = audio->memory;
    self->calls.connect_port(self->handle, index, audio->memory);
}

static bool connect_events(bl_instance *self, uint32_t index, const bl_plug_in_port *port) {
    bl_event_port *events = port->is_input ? &self->event_inputs[self->event_input_count++]
                                           : &self->event_outputs[self->event_output_count++];
    bool is_there = bl_event_port_prepare(events, port, &self->arena);
    self->has_position = self->has_position || port->has_position;
    if (is_there) {
        bl_event_port_clear(events, self->urids);
        self->calls.connect_port(self->handle, index, bl_event_port_memory(events));
    }
    return is_there;
}

/* Allocates memory for every port, including optional ones: many plug-ins use them all. */
static bool connect_ports(bl_instance *self) {
    const bl_plug_in *plug_in = self->plug_in;
    self->event_inputs =
        bl_arena_allocate(&self->arena, plug_in->port_count, sizeof *self->event_inputs);
    self->event_outputs =
        bl_arena_allocate(&self->arena, plug_in->port_count, sizeof *self->event_outputs);
    self->event_input_count = self->event_output_count = 0;
    self->has_position = self->has_event_ports = false;
    for (uint32_t index = 0; index < plug_in->port_count && !self->arena.failed; index += 1) {
        const bl_plug_in_port *port = &plug_in->ports[index];
        switch (port->kind) {
        case BL_PORT_AUDIO: connect_audio(self, index, port); break;
        case BL_PORT_CONTROL:
            self->calls.connect_port(self->handle, index, &self->controls[index]);
            break;
        case BL_PORT_ATOM:
        case BL_PORT_EVENT:
            connect_events(self, index, port);
            self->has_event_ports = true;
            break;
        case BL_PORT_OTHER:
            self->calls.connect_port(self->handle, index,
                                     bl_arena_allocate(&self->arena, BL_EVENT_PORT_SIZE, 1));
            break;
        }
    }
    self->follows_time = self->has_position || plug_in->follows_host;
    return !self->arena.failed;
}

/* Prepares plain cycles to be rendered from the first cache line. */
static void prepare_plain(bl_instance *self) {
    const bl_unit_descriptor *unit = &self->plug_in->descriptor;
    uint32_t most = BL_INSTANCE_PLAIN_CHANNELS;
    bool is_plain = self->constant_block == 0 && !self->has_event_ports && !self->has_position &&
                    !self->plug_in->follows_host && !self->has_gate && !self->has_work &&
                    unit->input_bus_count <= 1 && unit->output_bus_count == 1 &&
                    self->outputs[0].channel_count <= most;
    if (is_plain && unit->input_bus_count == 1) {
        is_plain = self->inputs[0].channel_count <= most &&
                   self->inputs[0].asked == self->inputs[0].channel_count;
        self->plain_input_count = (uint8_t)self->inputs[0].channel_count;
    }
    self->plain_frames = is_plain ? self->maximum_frames : 0;
}

static bool fits(const bl_instance *self, const bl_render_configuration *configuration) {
    const bl_unit_descriptor *unit = &self->plug_in->descriptor;
    if (configuration->input_bus_count != unit->input_bus_count ||
        configuration->output_bus_count != unit->output_bus_count) {
        return false;
    }
    bool fits = true;
    bool has_main = false;
    for (uint32_t bus = 0; bus < unit->input_bus_count; bus += 1) {
        has_main = has_main || (unit->input_busses[bus].flags & BL_BUS_OPTIONAL) == 0;
    }
    for (uint32_t bus = 0; bus < unit->input_bus_count; bus += 1) {
        uint32_t asked = configuration->input_channel_counts[bus];
        uint32_t most = unit->input_busses[bus].default_channel_count;
        bool is_sidechain = has_main && (unit->input_busses[bus].flags & BL_BUS_OPTIONAL) != 0;
        fits = fits && (is_sidechain ? asked >= 1 && asked <= most : asked == most);
    }
    for (uint32_t bus = 0; bus < unit->output_bus_count; bus += 1) {
        fits = fits && configuration->output_channel_counts[bus] ==
                           unit->output_busses[bus].default_channel_count;
    }
    return fits;
}

/* Returns the largest power of two that a cycle can have, up to the usual. */
static uint32_t constant_block_of(uint32_t maximum_frames) {
    uint32_t block = BL_INSTANCE_CONSTANT_BLOCK;
    while (block > maximum_frames && block > 16) {
        block /= 2;
    }
    return block;
}

bl_status bl_instance_prepare(bl_instance *self, const bl_render_configuration *configuration) {
    bool has_memory = prepare_busses(self, configuration);
    bool is_ready = has_memory && connect_ports(self) && bl_patch_prepare(self);
    if (is_ready) {
        prepare_plain(self);
    }
    return is_ready ? BL_OK : BL_ERROR_OUT_OF_MEMORY;
}

bl_status bl_instance_allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_instance *self = (bl_instance *)unit;
    if (!fits(self, configuration)) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    self->urids = bl_urids_known();
    self->sample_rate = configuration->sample_rate;
    self->maximum_frames = configuration->maximum_frames;
    self->constant_block =
        self->plug_in->needs_constant_blocks ? constant_block_of(configuration->maximum_frames) : 0;
    self->splits = self->plug_in->may_split && !self->plug_in->needs_constant_blocks &&
                   self->plug_in->atom_input_count + self->plug_in->atom_output_count == 0;
    for (uint32_t index = 0; index < self->plug_in->descriptor.parameter_count; index += 1) {
        bl_instance_set(self, index, self->values[index]);
    }
    bl_status status = self->plug_in->instantiate(self, configuration->sample_rate);
    if (status == BL_OK) {
        status = bl_instance_prepare(self, configuration);
    }
    if (status != BL_OK) {
        bl_instance_deallocate(unit);
        return status;
    }
    char message[256];
    if (self->lv2 != NULL) {
        bl_lv2_restore(self, self->state, message, sizeof message);
    }
    /* The first run moves page faults and lazy set-up off the render thread, and lets plug-ins
       report a latency. */
    if (self->calls.activate != NULL) {
        self->calls.activate(self->handle);
    }
    bl_patch_send(self, 0);
    uint32_t frames = self->constant_block > 0 ? self->constant_block : self->maximum_frames;
    bl_instance_run(self, frames, true);
    bl_patch_follow(self, NULL, 0);
    self->notified_latency = self->controls[self->latency_port];
    bl_instance_reset(unit);
    bl_instance_remember_state(self);
    return BL_OK;
}

void bl_instance_deallocate(bl_unit *unit) {
    bl_instance *self = (bl_instance *)unit;
    if (self->handle != NULL) {
        if (self->lv2 != NULL && self->plug_in->descriptor.property_count > 0 &&
            self->inputs != NULL) {
            char *state = bl_lv2_save(self, true);
            if (state != NULL) {
                free(self->state);
                self->state = state;
            }
        }
        /* Some plug-ins crash when they are freed without having been active. */
        if (self->calls.deactivate != NULL) {
            self->calls.deactivate(self->handle);
        }
    }
    if (self->plug_in->is_lv2) {
        bl_lv2_end(self);
    } else {
        bl_ladspa_end(self);
    }
    self->handle = NULL;
    self->plain_frames = 0;
    self->plain_input_count = 0;
    memset(self->plain_inputs, 0, sizeof self->plain_inputs);
    memset(self->plain_outputs, 0, sizeof self->plain_outputs);
    bl_arena_free(&self->arena);
    self->arena = (bl_arena){0};
    self->inputs = self->outputs = NULL;
    self->patch = NULL;
    self->constant_block = 0;
}
