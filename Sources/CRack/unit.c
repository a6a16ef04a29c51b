/* A rack as a unit: its functions outside render. */
#include "unit.h"

#include <math.h>

#include "cycle/bypass.h"
#include "graph/lowered_graph.h"

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    const bl_rack_component *component = (const bl_rack_component *)descriptor;
    bl_nested_rack *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->component = component;
    if (!bl_rack_create(&self->rack, &component->plan, "")) {
        bl_rack_destroy(&self->rack);
        free(self);
        return NULL;
    }
    return (bl_unit *)self;
}

static void deallocate(bl_unit *unit) {
    bl_nested_rack *self = (bl_nested_rack *)unit;
    bl_rack_stop(&self->rack);
    bl_arena_free(&self->arena);
    self->arena = (bl_arena){0};
}

static void destroy(bl_unit *unit) {
    bl_nested_rack *self = (bl_nested_rack *)unit;
    bl_rack_destroy(&self->rack);
    free(self);
}

static const bl_exposed *exposed_at(const bl_nested_rack *self,
                                    bl_parameter_address address) BL_NONBLOCKING {
    const bl_rack_plan *plan = &self->component->plan;
    return address < plan->exposed_count ? &plan->exposed[address] : NULL;
}

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_nested_rack *self = (bl_nested_rack *)unit;
    const bl_exposed *exposed = exposed_at(self, address);
    bl_rack_unit *inner = exposed != NULL ? &self->rack.units[exposed->unit] : NULL;
    if (inner == NULL) {
        return;
    }
    if (exposed->address == BL_CONTROL_BYPASS) {
        inner->is_bypassed = value >= 0.5f;
        if (inner->node != NULL) {
            bl_node_set_bypassed(inner->node, inner->is_bypassed);
        }
        return;
    }
    inner->descriptor->set_parameter(inner->unit, exposed->address, value);
    if (inner->node != NULL) {
        bl_event event = {.type = BL_EVENT_PARAMETER, .parameter = {exposed->address, value, 0}};
        bl_node_publish(inner->node, bl_node_publish_events(inner->node, &event, NULL), NULL);
    }
}

static float parameter_value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const bl_nested_rack *self = (const bl_nested_rack *)unit;
    const bl_exposed *exposed = exposed_at(self, address);
    if (exposed == NULL) {
        return 0;
    }
    const bl_rack_unit *inner = &self->rack.units[exposed->unit];
    if (exposed->address == BL_CONTROL_BYPASS) {
        return inner->node != NULL ? inner->node->receiver.bypassed : inner->is_bypassed;
    }
    return inner->descriptor->parameter_value(inner->unit, exposed->address);
}

/* Writes a value's text; "" for a parameter without texts of its own. */
static void value_text(const bl_unit *unit, bl_parameter_address address, float value, char *text,
                       size_t size) {
    const bl_nested_rack *self = (const bl_nested_rack *)unit;
    const bl_exposed *exposed = exposed_at(self, address);
    const bl_rack_unit *inner = exposed != NULL ? &self->rack.units[exposed->unit] : NULL;
    text[0] = 0;
    if (inner != NULL && inner->descriptor->value_text != NULL) {
        inner->descriptor->value_text(inner->unit, exposed->address, value, text, size);
    }
}

static bool text_value(const bl_unit *unit, bl_parameter_address address, const char *text,
                       float *value) {
    const bl_nested_rack *self = (const bl_nested_rack *)unit;
    const bl_exposed *exposed = exposed_at(self, address);
    const bl_rack_unit *inner = exposed != NULL ? &self->rack.units[exposed->unit] : NULL;
    return inner != NULL && inner->descriptor->text_value != NULL &&
           inner->descriptor->text_value(inner->unit, exposed->address, text, value);
}

/* Arrays without elements may be NULL, which memcmp may not be given. */
static bool are_equal(const uint32_t *counts, const uint32_t *others, uint32_t length) {
    return length == 0 || memcmp(counts, others, length * sizeof *counts) == 0;
}

static bool fits(const bl_graph_description *graph, const bl_render_configuration *configuration) {
    return configuration->input_bus_count == graph->input_count &&
           configuration->output_bus_count == graph->output_count &&
           are_equal(configuration->input_channel_counts, graph->input_channel_counts,
                     graph->input_count) &&
           are_equal(configuration->output_channel_counts, graph->output_channel_counts,
                     graph->output_count);
}

static float **allocate_channels(bl_nested_rack *self, const uint32_t *counts, uint32_t bus_count) {
    uint32_t total = 0;
    for (uint32_t bus = 0; bus < bus_count; bus += 1) {
        total += counts[bus];
    }
    float **channels = bl_arena_allocate(&self->arena, total, sizeof *channels);
    for (uint32_t channel = 0; channels != NULL && channel < total; channel += 1) {
        channels[channel] = bl_arena_allocate(&self->arena, self->rack.block, sizeof(float));
    }
    return channels;
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_nested_rack *self = (bl_nested_rack *)unit;
    const bl_graph_description *graph = &self->component->plan.graph;
    if (!fits(graph, configuration)) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    self->rack.sample_rate = configuration->sample_rate;
    self->rack.block = configuration->maximum_frames;
    self->input_memory = allocate_channels(self, graph->input_channel_counts, graph->input_count);
    self->output_memory =
        allocate_channels(self, graph->output_channel_counts, graph->output_count);
    self->inputs = allocate_channels(self, graph->input_channel_counts, graph->input_count);
    self->outputs = allocate_channels(self, graph->output_channel_counts, graph->output_count);
    self->rendered = 0;
    bl_status status = BL_ERROR_OUT_OF_MEMORY;
    if (!self->arena.failed) {
        status = bl_rack_start(&self->rack) ? BL_OK : BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    if (status != BL_OK) {
        deallocate(unit);
    }
    return status;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_nested_rack *self = (bl_nested_rack *)unit;
    for (uint32_t index = 0; index < self->component->plan.unit_count; index += 1) {
        const bl_rack_unit *inner = &self->rack.units[index];
        if (inner->is_allocated) {
            inner->descriptor->reset(inner->unit);
        }
    }
    if (self->rack.plays) {
        bl_graph_reset(self->rack.graph);
    }
}

static void wait_until_ready(bl_unit *unit, uint32_t frames) {
    (void)frames;
    bl_rack_wait(&((const bl_nested_rack *)unit)->rack);
}

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    return bl_rack_latency(&((const bl_nested_rack *)unit)->rack);
}

/* The tail of the rack as if all units formed one chain, the longest possible. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_nested_rack *self = (const bl_nested_rack *)unit;
    const bl_rack_plan *plan = &self->component->plan;
    double sum = 0;
    for (uint32_t cable = 0; cable < plan->graph.cable_count; cable += 1) {
        sum += (plan->graph.cables[cable].flags & BL_CABLE_FEEDBACK) != 0 ? INFINITY : 0;
    }
    for (uint32_t index = 0; index < plan->unit_count; index += 1) {
        const bl_rack_unit *inner = &self->rack.units[index];
        if (inner->is_allocated && inner->descriptor->tail_time) {
            sum += inner->descriptor->tail_time(inner->unit);
        }
    }
    return sum;
}

void bl_rack_set_functions(bl_unit_descriptor *descriptor) {
    descriptor->create = create;
    descriptor->destroy = destroy;
    descriptor->set_parameter = set_parameter;
    descriptor->parameter_value = parameter_value;
    descriptor->allocate_render_resources = allocate;
    descriptor->deallocate_render_resources = deallocate;
    descriptor->reset = reset;
    descriptor->render = bl_nested_rack_render;
    descriptor->wait_until_ready = wait_until_ready;
    descriptor->latency = latency;
    descriptor->tail_time = tail_time;
    descriptor->value_text = value_text;
    descriptor->text_value = text_value;
}
