/* Runs an instance: renders the host's block in cycles of the kernel. */
#include <math.h>

#include "graph/node_state.h"
#include "work.h"

static float *port_memory(const bl_export_instance *self, uint32_t port) BL_NONBLOCKING {
    return self->connected[port];
}

/* Sets a parameter before the first cycle: the output is then that of a unit created with this
   value. */
static void set_at_once(const bl_rack_unit *unit, bl_parameter_address address,
                        float value) BL_NONBLOCKING {
    bl_event event = {.type = BL_EVENT_PARAMETER, .parameter = {address, value, 0}};
    if (!bl_receiver_fit(&unit->node->receiver, &event) ||
        unit->descriptor->parameter_value(unit->unit, address) == event.parameter.value) {
        return;
    }
    unit->descriptor->set_parameter(unit->unit, address, event.parameter.value);
    unit->descriptor->reset(unit->unit);
    bl_node_publish(unit->node, bl_node_publish_events(unit->node, &event, NULL), NULL);
}

static void send_parameter(const bl_export_instance *self, const bl_port *port,
                           float value) BL_NONBLOCKING {
    bl_command command = {.type = BL_COMMAND_SET_PARAMETER, .node = port->unit};
    command.parameter = (bl_parameter_event){port->address, value, 0, false};
    bl_kernel_send(self->rack.kernel, &command);
}

static void press_button(const bl_export_instance *self, const bl_port *port) BL_NONBLOCKING {
    bl_command command = {.type = BL_COMMAND_SCHEDULE, .node = port->unit};
    command.event = (bl_event){.sample_time = BL_SAMPLE_TIME_IMMEDIATE,
                               .type = BL_EVENT_PARAMETER,
                               .parameter = {port->address, 1, 0}};
    bl_kernel_send(self->rack.kernel, &command);
}

static void send_bypass(const bl_export_instance *self, const bl_port *port,
                        float value) BL_NONBLOCKING {
    bl_command command = {.type = BL_COMMAND_SET_BYPASS, .node = port->unit};
    command.bypassed = value > 0;
    bl_kernel_send(self->rack.kernel, &command);
}

/* Sends a change of a control port since the last run. */
static void read_control(bl_export_instance *self, uint32_t index, float value) BL_NONBLOCKING {
    const bl_port *port = &self->plug_in->ports[index];
    const bl_rack_unit *unit = &self->rack.units[port->unit];
    float former = self->values[index];
    self->values[index] = value;
    if (port->kind == BL_PORT_BUTTON) {
        if (value > 0 && !(former > 0)) {
            press_button(self, port);
        }
    } else if (!self->has_run && port->kind == BL_PORT_PARAMETER) {
        set_at_once(unit, port->address, value);
    } else if (!self->has_run) {
        bl_node_set_bypassed(unit->node, value > 0);
    } else if (value != former) {
        (port->kind == BL_PORT_PARAMETER ? send_parameter : send_bypass)(self, port, value);
    }
}

static void read_controls(bl_export_instance *self) BL_NONBLOCKING {
    for (uint32_t index = 0; index < self->plug_in->port_count; index += 1) {
        const float *memory = port_memory(self, index);
        bl_port_kind kind = self->plug_in->ports[index].kind;
        bool is_control =
            kind == BL_PORT_PARAMETER || kind == BL_PORT_BUTTON || kind == BL_PORT_BYPASS;
        if (is_control && memory != NULL && isfinite(*memory)) {
            read_control(self, index, *memory);
        }
    }
}

static void write_controls(const bl_export_instance *self) BL_NONBLOCKING {
    for (uint32_t index = 0; index < self->plug_in->port_count; index += 1) {
        const bl_port *port = &self->plug_in->ports[index];
        float *memory = port_memory(self, index);
        if (memory == NULL) {
            continue;
        }
        if (port->kind == BL_PORT_LATENCY) {
            *memory = (float)bl_rack_latency(&self->rack);
        } else if (port->kind == BL_PORT_METER) {
            const bl_node *node = self->rack.units[port->unit].node;
            *memory = node != NULL ? bl_node_value(node, port->address) : 0;
        }
    }
}

/* Whether the host's port of that kind is on; `usual` if there is no such port. */
static bool is_on(const bl_export_instance *self, bl_port_kind kind, bool usual) BL_NONBLOCKING {
    for (uint32_t index = 0; index < self->plug_in->port_count; index += 1) {
        if (self->plug_in->ports[index].kind == kind) {
            const float *memory = port_memory(self, index);
            return memory == NULL ? usual : *memory > 0;
        }
    }
    return usual;
}

static bool overlaps_output(const bl_export_instance *self, const float *input,
                            uint32_t frames) BL_NONBLOCKING {
    bool overlaps = false;
    for (uint32_t channel = 0; channel < self->output_count; channel += 1) {
        const float *output = self->outputs[channel];
        overlaps = overlaps || (input < output + frames && output < input + frames);
    }
    return overlaps;
}

/* Points the kernel's channels to the host's memory, from `first_frame` on. */
static void point_channels(bl_export_instance *self, uint32_t frames) BL_NONBLOCKING {
    uint32_t input = 0, output = 0;
    for (uint32_t index = 0; index < self->plug_in->port_count; index += 1) {
        float *memory = port_memory(self, index);
        float *place = memory != NULL ? memory + self->first_frame : NULL;
        if (self->plug_in->ports[index].kind == BL_PORT_AUDIO_OUTPUT) {
            self->outputs[output++] = place != NULL ? place : self->scratch;
        } else if (self->plug_in->ports[index].kind == BL_PORT_AUDIO_INPUT) {
            self->inputs[input++] = place != NULL ? place : self->silence;
        }
    }
    /* The kernel may write outputs before it has read all inputs. */
    for (uint32_t channel = 0; channel < self->input_count; channel += 1) {
        if (overlaps_output(self, self->inputs[channel], frames)) {
            float *copy = self->memory + (size_t)channel * self->plug_in->plan.block;
            memcpy(copy, self->inputs[channel], frames * sizeof *copy);
            self->inputs[channel] = copy;
        }
    }
}

static void render(bl_export_instance *self, uint32_t frames) BL_NONBLOCKING {
    bl_cycle cycle = {.frames = frames,
                      .inputs = (const float *const *)self->inputs,
                      .outputs = self->outputs,
                      .midi_count = bl_events_collect(self, self->first_frame + frames),
                      .midi = self->messages,
                      .send_midi = bl_events_send,
                      .midi_context = self,
                      .musical_context = &self->clock.music,
                      .transport_state = &self->clock.transport};
    bl_kernel_begin_cycle(self->rack.kernel);
    bl_kernel_render(self->rack.kernel, &cycle);
}

static void silence(bl_export_instance *self, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < self->plug_in->port_count; index += 1) {
        float *memory = port_memory(self, index);
        if (memory != NULL && self->plug_in->ports[index].kind == BL_PORT_AUDIO_OUTPUT) {
            memset(memory, 0, frames * sizeof *memory);
        }
    }
}

void bl_export_run(LV2_Handle handle, uint32_t frames) BL_NONBLOCKING {
    bl_export_instance *self = handle;
    bl_events_begin(self);
    if (!self->rack.plays) {
        silence(self, frames);
        write_controls(self);
        return;
    }
    bool enabled = is_on(self, BL_PORT_ENABLED, true);
    bool waits = is_on(self, BL_PORT_FREEWHEELING, false);
    read_controls(self);
    if (!self->has_run) {
        self->dry.position = enabled ? 0 : self->dry.length;
        self->has_run = true;
    }
    for (self->first_frame = 0; self->first_frame < frames;) {
        uint32_t left = frames - self->first_frame;
        uint32_t longest = left < self->plug_in->plan.block ? left : self->plug_in->plan.block;
        uint32_t end = bl_events_follow_time(self, self->first_frame + longest);
        uint32_t count = end - self->first_frame;
        point_channels(self, count);
        bl_dry_sound_keep(self, count);
        if (waits) {
            bl_rack_wait(&self->rack);
        }
        render(self, count);
        bl_dry_sound_mix(self, enabled, bl_rack_latency(&self->rack), count);
        bl_clock_advance(&self->clock, count, self->sample_rate);
        self->first_frame = end;
    }
    if (frames == 0) {
        bl_kernel_begin_cycle(self->rack.kernel);
    }
    bl_export_write_log(self);
    bl_work_follow_latencies(self);
    write_controls(self);
}
