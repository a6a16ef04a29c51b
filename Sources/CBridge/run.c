/* Runs the plug-in's code: on the render thread, and once while allocating. */
#include "instance.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

/* Resets the plug-in by the only means of LV2 and LADSPA, which is not meant for the render thread,
   but quick in nearly all plug-ins. */
static void restart(bl_instance *self) BL_NONBLOCKING {
    BL_ALLOW_WAITING();
    if (self->calls.deactivate != NULL) {
        self->calls.deactivate(self->handle);
    }
    if (self->calls.activate != NULL) {
        self->calls.activate(self->handle);
    }
    BL_FORBID_WAITING();
}

void bl_instance_connect(bl_instance *self, bl_audio_port *port,
                         const float *samples) BL_NONBLOCKING {
    BL_ALLOW_WAITING();
    /* The cast is safe: the plug-in writes to outputs only. */
    self->calls.connect_port(self->handle, port->port, (void *)(uintptr_t)samples);
    BL_FORBID_WAITING();
    port->connected = samples;
    /* Reset all, since any of them may have changed. */
    memset(self->plain_inputs, 0, sizeof self->plain_inputs);
    memset(self->plain_outputs, 0, sizeof self->plain_outputs);
}

#pragma clang diagnostic pop

void bl_instance_end_run(bl_instance *self, bool waits) BL_NONBLOCKING {
    if (self->has_work) {
        bl_work_thread_deliver(self->work_thread, waits);
    }
    if (!self->has_pressed) {
        return;
    }
    self->has_pressed = false;
    for (uint32_t index = 0; index < self->plug_in->descriptor.parameter_count; index += 1) {
        if (self->is_pressed[index]) {
            uint32_t port = self->plug_in->parameters[index].port;
            self->is_pressed[index] = false;
            self->controls[port] = self->plug_in->ports[port].initial;
        }
    }
}

void bl_instance_clear_event_inputs(bl_instance *self) BL_NONBLOCKING {
    for (uint32_t index = 0; index < self->event_input_count; index += 1) {
        bl_event_port_clear(&self->event_inputs[index], self->urids);
    }
}

void bl_instance_clear_event_outputs(bl_instance *self) BL_NONBLOCKING {
    for (uint32_t index = 0; index < self->event_output_count; index += 1) {
        bl_event_port_clear(&self->event_outputs[index], self->urids);
    }
}

void bl_instance_reset(bl_unit *unit) BL_NONBLOCKING {
    bl_instance *self = (bl_instance *)unit;
    if (self->handle == NULL) {
        return;
    }
    restart(self);
    if (self->patch != NULL && self->position > 0) {
        /* The dropped block may contain messages. */
        atomic_store_explicit(&self->patch->has_restored, true, memory_order_relaxed);
    }
    self->position = 0;
    self->rendered = 0;
    self->knows_position = false;
    bl_instance_clear_event_inputs(self);
    bl_instance_clear_event_outputs(self);
    for (uint32_t index = 0; index < self->plug_in->descriptor.parameter_count; index += 1) {
        if (self->ramps[index].remaining > 0) {
            bl_ramp_set(&self->ramps[index], self->ramps[index].target);
            bl_instance_set(self, index, self->ramps[index].target);
        }
    }
    self->ramp_count = 0;
    for (uint32_t bus = 0; bus < self->plug_in->descriptor.output_bus_count; bus += 1) {
        for (uint32_t channel = 0; channel < self->outputs[bus].channel_count; channel += 1) {
            if (self->constant_block > 0) {
                memset(self->outputs[bus].channels[channel].memory, 0,
                       self->constant_block * sizeof(float));
            }
        }
    }
}
