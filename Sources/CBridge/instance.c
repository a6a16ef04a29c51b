/* The life cycle of an instance, and its parameters while it is idle. */
#include "instance.h"

#include "range.h"

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    const bl_plug_in *plug_in = (const bl_plug_in *)descriptor;
    bl_instance *self = aligned_alloc(_Alignof(bl_instance), sizeof *self);
    uint32_t count = descriptor->parameter_count;
    if (self == NULL) {
        return NULL;
    }
    memset(self, 0, sizeof *self);
    self->plug_in = plug_in;
    self->values = bl_allocate_touched(count + 1, sizeof *self->values);
    self->ramps = bl_allocate_touched(count + 1, sizeof *self->ramps);
    self->is_pressed = bl_allocate_touched(count + 1, sizeof *self->is_pressed);
    self->is_set = bl_allocate_touched(count + 1, sizeof *self->is_set);
    self->texts = bl_allocate_touched(descriptor->property_count + 1, sizeof *self->texts);
    self->controls = bl_allocate_touched(plug_in->port_count + plug_in->message_parameter_count + 1,
                                         sizeof *self->controls);
    self->sample_rate = BL_BRIDGE_DESCRIBED_RATE;
    self->latency_port = plug_in->port_count;
    if (self->values == NULL || self->ramps == NULL || self->is_pressed == NULL ||
        self->is_set == NULL || self->texts == NULL || self->controls == NULL) {
        descriptor->destroy((bl_unit *)self);
        return NULL;
    }
    for (uint32_t port = 0; port < plug_in->port_count; port += 1) {
        self->controls[port] = plug_in->ports[port].initial;
        if (plug_in->ports[port].role == BL_ROLE_LATENCY) {
            self->latency_port = port;
        }
    }
    for (uint32_t index = 0; index < count; index += 1) {
        bl_ramp_set(&self->ramps[index], descriptor->parameters[index].default_value);
        bl_instance_set(self, index, descriptor->parameters[index].default_value);
    }
    return (bl_unit *)self;
}

static void destroy(bl_unit *unit) {
    bl_instance *self = (bl_instance *)unit;
    for (uint32_t index = 0; index < self->plug_in->descriptor.property_count; index += 1) {
        if (self->texts != NULL) {
            free(self->texts[index]);
        }
    }
    free(self->texts);
    free(self->is_set);
    free(self->values);
    free(self->ramps);
    free(self->is_pressed);
    free(self->controls);
    free(self->state);
    free(self->first_state);
    free(self);
}

void bl_instance_set(bl_instance *self, uint32_t index, float value) BL_NONBLOCKING {
    const bl_plug_in_parameter *parameter = &self->plug_in->parameters[index];
    if (parameter->is_input && !parameter->is_momentary) {
        self->values[index] = value;
        self->controls[parameter->port] = bl_range_to_port(parameter, value, self->sample_rate);
    }
}

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_instance *self = (bl_instance *)unit;
    if (address >= self->plug_in->descriptor.parameter_count) {
        return;
    }
    bl_ramp_set(&self->ramps[address], value);
    bl_instance_set(self, (uint32_t)address, value);
    /* A parameter that was never moved keeps the plug-in's own default, which may not be stated. */
    self->is_set[address] |= value != self->plug_in->descriptor.parameters[address].default_value;
    if (self->plug_in->parameters[address].key != 0 && self->is_set[address] &&
        self->patch != NULL) {
        bl_patch_set_later(self, (uint32_t)address);
    }
}

static float parameter_value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const bl_instance *self = (const bl_instance *)unit;
    if (address >= self->plug_in->descriptor.parameter_count) {
        return 0;
    }
    const bl_plug_in_parameter *parameter = &self->plug_in->parameters[address];
    return parameter->is_input ? self->values[address]
                               : bl_range_from_port(parameter, self->controls[parameter->port]);
}

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    const bl_instance *self = (const bl_instance *)unit;
    float own = self->controls[self->latency_port];
    if (self->latency_port == self->plug_in->port_count || !(own > 0)) {
        return self->constant_block;
    }
    own = own < (float)BL_MAXIMUM_LATENCY ? own : (float)BL_MAXIMUM_LATENCY;
    return (uint32_t)(own + 0.5f) + self->constant_block;
}

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    return ((const bl_instance *)unit)->plug_in->tail_time;
}

void bl_instance_set_functions(bl_unit_descriptor *descriptor) {
    descriptor->create = create;
    descriptor->destroy = destroy;
    descriptor->set_property = descriptor->property_count > 0 ? bl_instance_set_property : NULL;
    descriptor->set_parameter = set_parameter;
    descriptor->parameter_value = parameter_value;
    descriptor->allocate_render_resources = bl_instance_allocate;
    descriptor->deallocate_render_resources = bl_instance_deallocate;
    descriptor->reset = bl_instance_reset;
    descriptor->render = bl_instance_render;
    descriptor->latency = latency;
    descriptor->tail_time = tail_time;
    descriptor->receive_message =
        descriptor->property_count > 0 ? bl_instance_receive_message : NULL;
    descriptor->save_data = bl_instance_save_data;
    descriptor->load_data = bl_instance_load_data;
}
