/* The units of a rack, and their graph. */
#include "rack/rack.h"
#include "cycle/kernel_state.h"

#include <stdio.h>

/* A unit plays even if it cannot read its file. */
static void set_properties(const bl_rack *self, uint32_t index, const char *folder) {
    const bl_rack_unit *unit = &self->units[index];
    for (uint32_t next = 0; next < self->plan->property_count; next += 1) {
        const bl_planned_property *property = &self->plan->properties[next];
        if (property->unit != index) {
            continue;
        }
        char path[4096], reason[512] = "";
        snprintf(path, sizeof path, "%s/%s", folder, property->text);
        const char *text = property->is_in_folder ? path : property->text;
        bl_status status = bl_set_property(unit->descriptor, unit->unit, property->index, text,
                                           reason, sizeof reason);
        if (status != BL_OK || *reason != 0) {
            fprintf(stderr, "backline: %s: %s: %s\n", unit->descriptor->name, text, reason);
        }
    }
}

static bl_render_configuration configuration_of(const bl_rack *self, uint32_t index) {
    const bl_planned_unit *planned = &self->plan->units[index];
    return (bl_render_configuration){.sample_rate = self->sample_rate,
                                     .maximum_frames = self->block,
                                     .input_bus_count = planned->input_count,
                                     .output_bus_count = planned->output_count,
                                     .input_channel_counts = planned->inputs,
                                     .output_channel_counts = planned->outputs};
}

/* Allocates or reallocates a unit: its audio state is cleared, and a file that was set while it was
   allocated is ready at once. */
static bool allocate(const bl_rack *self, uint32_t index) {
    bl_rack_unit *unit = &self->units[index];
    bl_render_configuration configuration = configuration_of(self, index);
    if (unit->is_allocated) {
        unit->descriptor->deallocate_render_resources(unit->unit);
    }
    unit->is_allocated =
        unit->descriptor->allocate_render_resources(unit->unit, &configuration) == BL_OK;
    return unit->is_allocated;
}

static bool create_unit(bl_rack *self, uint32_t index, const char *folder) {
    const bl_planned_unit *planned = &self->plan->units[index];
    bl_rack_unit *unit = &self->units[index];
    unit->descriptor = atomic_load(&planned->descriptor);
    unit->is_bypassed = planned->is_bypassed;
    unit->unit = unit->descriptor != NULL ? unit->descriptor->create(unit->descriptor) : NULL;
    if (unit->unit == NULL) {
        return false;
    }
    set_properties(self, index, folder);
    for (uint32_t value = 0; value < planned->value_count; value += 1) {
        unit->descriptor->set_parameter(unit->unit, planned->values[value].address,
                                        planned->values[value].value);
    }
    return true;
}

bool bl_rack_create(bl_rack *self, const bl_rack_plan *plan, const char *folder) {
    *self = (bl_rack){.plan = plan, .units = calloc(plan->unit_count + 1, sizeof *self->units)};
    bool is_there = self->units != NULL;
    for (uint32_t index = 0; is_there && index < plan->unit_count; index += 1) {
        is_there = create_unit(self, index, folder);
        if (!is_there) {
            fprintf(stderr, "backline: %s: unit %s cannot be made\n", plan->name,
                    plan->units[index].name);
        }
    }
    return is_there;
}

bool bl_rack_allocate(bl_rack *self, double sample_rate, uint32_t block) {
    self->sample_rate = sample_rate;
    self->block = block;
    for (uint32_t index = 0; index < self->plan->unit_count; index += 1) {
        if (!allocate(self, index)) {
            fprintf(stderr, "backline: %s: unit %s cannot be made at %g Hz\n", self->plan->name,
                    self->plan->units[index].name, sample_rate);
            return false;
        }
    }
    return true;
}

void bl_rack_destroy(bl_rack *self) {
    for (uint32_t index = 0; self->units != NULL && index < self->plan->unit_count; index += 1) {
        const bl_rack_unit *unit = &self->units[index];
        if (unit->is_allocated) {
            unit->descriptor->deallocate_render_resources(unit->unit);
        }
        if (unit->unit != NULL) {
            unit->descriptor->destroy(unit->unit);
        }
    }
    free(self->units);
    self->units = NULL;
}

static bool create_nodes(bl_rack *self) {
    if (!bl_rack_allocate(self, self->sample_rate, self->block)) {
        return false;
    }
    for (uint32_t index = 0; index < self->plan->unit_count; index += 1) {
        const bl_planned_unit *planned = &self->plan->units[index];
        bl_rack_unit *unit = &self->units[index];
        bl_render_configuration configuration = configuration_of(self, index);
        unit->node = bl_node_create(unit->descriptor, unit->unit, &configuration, index);
        if (unit->node == NULL) {
            return false;
        }
        bl_node_set_spills(unit->node, planned->spills);
        bl_node_set_bypassed(unit->node, unit->is_bypassed);
    }
    return true;
}

/* The scenes for this sample rate, in `arena`. */
static const bl_scene *make_scenes(const bl_rack *self, bl_arena *arena) {
    uint32_t count = self->plan->scene_count;
    bl_scene *scenes = bl_arena_allocate(arena, count, sizeof *scenes);
    for (uint32_t index = 0; scenes != NULL && index < count; index += 1) {
        const bl_planned_scene *scene = &self->plan->scenes[index];
        scenes[index] = (bl_scene){scene->value_count, scene->values,
                                   (uint32_t)(scene->time * self->sample_rate)};
    }
    return scenes;
}

/* Creates a graph, to replace the present one if there is one. */
static bl_graph *create_graph(const bl_rack *self) {
    const bl_rack_plan *plan = self->plan;
    bl_arena arena = {0};
    bl_node **nodes = bl_arena_allocate(&arena, plan->unit_count, sizeof(bl_node *));
    const bl_scene *scenes = make_scenes(self, &arena);
    const char *error = "memory is short";
    bl_graph *graph = NULL;
    if (!arena.failed) {
        for (uint32_t index = 0; index < plan->unit_count; index += 1) {
            nodes[index] = self->units[index].node;
        }
        bl_graph_description description = plan->graph;
        description.maximum_frames = self->block;
        description.fade_frames = bl_ramp_frames(self->sample_rate);
        description.node_count = plan->unit_count;
        description.nodes = nodes;
        description.scene_count = plan->scene_count;
        description.scenes = scenes;
        description.previous = self->graph;
        graph = bl_graph_create(&description, &error);
    }
    if (graph == NULL) {
        fprintf(stderr, "backline: %s: %s\n", plan->name, error);
    }
    bl_arena_free(&arena);
    return graph;
}

/* Plays a new graph; false when memory is short or the kernel has no room, and the old one plays
   on. */
static bool play_graph(bl_rack *self) {
    for (uint32_t index = 0; index < self->plan->unit_count; index += 1) {
        self->units[index].latency = bl_node_latency(self->units[index].node);
    }
    bl_command command = {.type = BL_COMMAND_SET_GRAPH, .graph = create_graph(self)};
    if (command.graph == NULL || !bl_kernel_send(self->kernel, &command)) {
        bl_graph_destroy(command.graph);
        return false;
    }
    self->graph = command.graph;
    uint32_t latency = 0;
    for (uint32_t output = 0; output < self->plan->graph.output_count; output += 1) {
        uint32_t frames = bl_graph_latency(self->graph, output);
        latency = frames > latency ? frames : latency;
    }
    atomic_store_explicit(&self->latency, latency, memory_order_relaxed);
    return true;
}

/* The call may wait: there is no deadline. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

void bl_rack_wait(const bl_rack *self) BL_NONBLOCKING {
    BL_ALLOW_WAITING();
    for (uint32_t index = 0; index < self->plan->unit_count; index += 1) {
        const bl_rack_unit *unit = &self->units[index];
        if (unit->descriptor->wait_until_ready != NULL) {
            unit->descriptor->wait_until_ready(unit->unit, self->block);
        }
    }
    BL_FORBID_WAITING();
}

#pragma clang diagnostic pop

bool bl_rack_start(bl_rack *self) {
    bl_kernel_configuration configuration = {.sample_rate = self->sample_rate};
    self->kernel = bl_kernel_create(&configuration);
    self->plays = self->kernel != NULL && create_nodes(self) && play_graph(self);
    if (self->plays) {
        bl_rack_wait(self);
    }
    return self->plays;
}

bool bl_rack_pop_report(bl_rack *self, bl_report *report) BL_NONBLOCKING {
    while (bl_ring_pop(&self->kernel->reports, report)) {
        if (report->type != BL_REPORT_GRAPH_RETIRED) {
            return true;
        }
        bl_graph *graph = report->graph;
        graph->next_retired = atomic_load_explicit(&self->retired, memory_order_relaxed);
        while (!atomic_compare_exchange_weak_explicit(&self->retired, &graph->next_retired, graph,
                                                      memory_order_release, memory_order_relaxed)) {
        }
    }
    return false;
}

static void destroy_retired(bl_rack *self) {
    bl_graph *graph = atomic_exchange(&self->retired, NULL);
    while (graph != NULL) {
        bl_graph *next = graph->next_retired;
        bl_graph_destroy(graph);
        graph = next;
    }
}

void bl_rack_replace_graph(bl_rack *self) {
    destroy_retired(self);
    if (self->plays) {
        play_graph(self);
    }
}

bool bl_rack_has_other_latencies(const bl_rack *self) BL_NONBLOCKING {
    bool has_changed = false;
    for (uint32_t index = 0; index < self->plan->unit_count; index += 1) {
        const bl_rack_unit *unit = &self->units[index];
        has_changed = has_changed || unit->latency != bl_node_latency(unit->node);
    }
    return has_changed;
}

uint32_t bl_rack_latency(const bl_rack *self) BL_NONBLOCKING {
    if (!self->plays) {
        return 0;
    }
    /* The latency of several units is their graph's, whose paths are aligned. */
    return self->plan->unit_count == 1 ? bl_node_latency(self->units[0].node)
                                       : atomic_load_explicit(&self->latency, memory_order_relaxed);
}

void bl_rack_stop(bl_rack *self) {
    self->plays = false;
    destroy_retired(self);
    if (self->kernel != NULL) {
        bl_kernel_destroy(self->kernel);
    }
    self->kernel = NULL;
    self->graph = NULL;
    for (uint32_t index = 0; self->units != NULL && index < self->plan->unit_count; index += 1) {
        if (self->units[index].node != NULL) {
            bl_node_destroy(self->units[index].node);
        }
        self->units[index].node = NULL;
    }
}
