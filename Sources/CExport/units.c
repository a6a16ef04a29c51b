/* The units of an instance, and their graph. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include "instance.h"
#include "units.h"

static const bl_unit_library *open_library(const char *bundle_path, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", bundle_path, name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const bl_unit_library *(*entry)(void) = NULL;
    if (handle != NULL) {
        *(void **)&entry = dlsym(handle, BL_UNIT_LIBRARY_SYMBOL);
    }
    const bl_unit_library *library = entry != NULL ? entry() : NULL;
    if (library == NULL || library->abi_version != BL_ABI_VERSION) {
        const char *reason = handle == NULL ? dlerror() : "it is of another version of Backline";
        fprintf(stderr, "backline: %s: %s\n", path, reason);
        return NULL;
    }
    return bl_unit_library_adapt(library);
}

static const bl_unit_library *find_library(bl_plug_in_unit *planned, const char *bundle_path) {
    if (planned->library == NULL) {
        return bl_built_in_units();
    }
    if (atomic_load(&planned->opened) == NULL) {
        atomic_store(&planned->opened, open_library(bundle_path, planned->library));
    }
    return atomic_load(&planned->opened);
}

static const bl_unit_descriptor *find_unit(bl_plug_in_unit *planned, const char *bundle_path) {
    const bl_unit_library *library = find_library(planned, bundle_path);
    for (uint32_t index = 0; library != NULL && index < library->unit_count; index += 1) {
        const bl_unit_descriptor *unit = library->units[index];
        if (unit->component.type == planned->component.type &&
            unit->component.subtype == planned->component.subtype &&
            unit->component.manufacturer == planned->component.manufacturer) {
            return unit;
        }
    }
    return NULL;
}

static bool set_properties(const bl_export_instance *self, uint32_t place,
                           const char *bundle_path) {
    const bl_instance_unit *unit = &self->units[place];
    for (uint32_t index = 0; index < self->plug_in->property_count; index += 1) {
        const bl_plug_in_property *property = &self->plug_in->properties[index];
        if (property->unit != place) {
            continue;
        }
        char path[4096], reason[512] = "";
        snprintf(path, sizeof path, "%s/%s", bundle_path, property->text);
        const char *text = property->is_in_bundle ? path : property->text;
        if (unit->descriptor->set_property(unit->unit, property->index, text, reason,
                                           sizeof reason) != BL_OK) {
            fprintf(stderr, "backline: %s: %s: %s\n", unit->descriptor->name, text, reason);
            return false;
        }
    }
    return true;
}

static bl_render_configuration configuration_of(const bl_export_instance *self, uint32_t place) {
    const bl_plug_in_unit *planned = &self->plug_in->units[place];
    return (bl_render_configuration){.sample_rate = self->sample_rate,
                                     .maximum_frames = self->plug_in->block,
                                     .input_bus_count = planned->input_count,
                                     .output_bus_count = planned->output_count,
                                     .input_channel_counts = planned->inputs,
                                     .output_channel_counts = planned->outputs};
}

/* Allocates a unit, also anew: its sound so far is forgotten, and a file that was set while it was
   allocated is ready at once. */
static bool allocate(const bl_export_instance *self, uint32_t place) {
    bl_instance_unit *unit = &self->units[place];
    bl_render_configuration configuration = configuration_of(self, place);
    if (unit->is_allocated) {
        unit->descriptor->deallocate_render_resources(unit->unit);
    }
    unit->is_allocated =
        unit->descriptor->allocate_render_resources(unit->unit, &configuration) == BL_OK;
    return unit->is_allocated;
}

static bool create_unit(bl_export_instance *self, uint32_t place, const char *bundle_path) {
    bl_plug_in_unit *planned = &self->plug_in->units[place];
    bl_instance_unit *unit = &self->units[place];
    unit->descriptor = find_unit(planned, bundle_path);
    unit->unit = unit->descriptor != NULL ? unit->descriptor->create(unit->descriptor) : NULL;
    if (unit->unit == NULL || !set_properties(self, place, bundle_path)) {
        return false;
    }
    for (uint32_t index = 0; index < planned->value_count; index += 1) {
        unit->descriptor->set_parameter(unit->unit, planned->values[index].address,
                                        planned->values[index].value);
    }
    return allocate(self, place);
}

bool bl_export_create_units(bl_export_instance *self, const char *bundle_path) {
    for (uint32_t place = 0; place < self->plug_in->unit_count; place += 1) {
        if (!create_unit(self, place, bundle_path)) {
            fprintf(stderr, "backline: %s: unit %u of %u cannot be made at %g Hz\n",
                    self->plug_in->descriptor.URI, place + 1, self->plug_in->unit_count,
                    self->sample_rate);
            return false;
        }
    }
    return true;
}

void bl_export_destroy_units(bl_export_instance *self) {
    for (uint32_t place = 0; self->units != NULL && place < self->plug_in->unit_count; place += 1) {
        const bl_instance_unit *unit = &self->units[place];
        if (unit->is_allocated) {
            unit->descriptor->deallocate_render_resources(unit->unit);
        }
        if (unit->unit != NULL) {
            unit->descriptor->destroy(unit->unit);
        }
    }
    for (uint32_t entry = 0; self->texts != NULL && entry < self->plug_in->state_count;
         entry += 1) {
        free(self->texts[entry]);
    }
}

static bool create_nodes(bl_export_instance *self) {
    for (uint32_t place = 0; place < self->plug_in->unit_count; place += 1) {
        const bl_plug_in_unit *planned = &self->plug_in->units[place];
        bl_instance_unit *unit = &self->units[place];
        bl_render_configuration configuration = configuration_of(self, place);
        unit->node = allocate(self, place)
                         ? bl_node_create(unit->descriptor, unit->unit, &configuration, place)
                         : NULL;
        if (unit->node == NULL) {
            return false;
        }
        bl_node_set_spills(unit->node, planned->spills);
        bl_node_set_bypassed(unit->node, planned->is_bypassed);
    }
    return true;
}

/* The scenes for this sample rate, in `arena`. */
static const bl_scene *make_scenes(const bl_export_instance *self, bl_arena *arena) {
    uint32_t count = self->plug_in->scene_count;
    bl_scene *scenes = bl_arena_allocate(arena, count, sizeof *scenes);
    for (uint32_t index = 0; scenes != NULL && index < count; index += 1) {
        const bl_plug_in_scene *scene = &self->plug_in->scenes[index];
        scenes[index] = (bl_scene){scene->value_count, scene->values,
                                   (uint32_t)(scene->time * self->sample_rate)};
    }
    return scenes;
}

/* To replace the present one, if there is one. */
static bl_graph *create_graph(const bl_export_instance *self) {
    const bl_plug_in *plug_in = self->plug_in;
    bl_arena arena = {0};
    bl_node **nodes = bl_arena_allocate(&arena, plug_in->unit_count, sizeof(bl_node *));
    const bl_scene *scenes = make_scenes(self, &arena);
    const char *error = "memory is short";
    bl_graph *graph = NULL;
    if (!arena.failed) {
        for (uint32_t place = 0; place < plug_in->unit_count; place += 1) {
            nodes[place] = self->units[place].node;
        }
        bl_graph_description description = {.maximum_frames = plug_in->block,
                                            .fade_frames = bl_ramp_frames(self->sample_rate),
                                            .input_count = plug_in->input_count,
                                            .input_channel_counts = plug_in->inputs,
                                            .output_count = plug_in->output_count,
                                            .output_channel_counts = plug_in->outputs,
                                            .node_count = plug_in->unit_count,
                                            .nodes = nodes,
                                            .cable_count = plug_in->cable_count,
                                            .cables = plug_in->cables,
                                            .midi_input_count = plug_in->midi_input_count,
                                            .midi_output_count = self->event_output_count,
                                            .midi_cable_count = plug_in->midi_cable_count,
                                            .midi_cables = plug_in->midi_cables,
                                            .modulation_count = plug_in->modulation_count,
                                            .modulations = plug_in->modulations,
                                            .control_count = plug_in->control_count,
                                            .controls = plug_in->controls,
                                            .scene_count = plug_in->scene_count,
                                            .scenes = scenes,
                                            .previous = self->graph};
        graph = bl_graph_create(&description, &error);
    }
    if (graph == NULL) {
        fprintf(stderr, "backline: %s: %s\n", plug_in->descriptor.URI, error);
    }
    bl_arena_free(&arena);
    return graph;
}

/* False when memory is short or the kernel has no room; the graph before then plays on. */
static bool play_graph(bl_export_instance *self) {
    for (uint32_t place = 0; place < self->plug_in->unit_count; place += 1) {
        self->units[place].latency = bl_node_latency(self->units[place].node);
    }
    bl_command command = {.type = BL_COMMAND_SET_GRAPH, .graph = create_graph(self)};
    if (command.graph == NULL || !bl_kernel_send(self->kernel, &command)) {
        bl_graph_destroy(command.graph);
        return false;
    }
    self->graph = command.graph;
    uint32_t latency = 0;
    for (uint32_t output = 0; output < self->plug_in->output_count; output += 1) {
        uint32_t frames = bl_graph_latency(self->graph, output);
        latency = frames > latency ? frames : latency;
    }
    atomic_store_explicit(&self->latency, latency, memory_order_relaxed);
    return true;
}

/* It may wait: there is no deadline. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

void bl_export_wait(const bl_export_instance *self) BL_NONBLOCKING {
    BL_ALLOW_WAITING();
    for (uint32_t place = 0; place < self->plug_in->unit_count; place += 1) {
        const bl_instance_unit *unit = &self->units[place];
        if (unit->descriptor->wait_until_ready != NULL) {
            unit->descriptor->wait_until_ready(unit->unit, self->plug_in->block);
        }
    }
    BL_FORBID_WAITING();
}

#pragma clang diagnostic pop

bool bl_export_start(bl_export_instance *self) {
    bl_kernel_configuration configuration = {.sample_rate = self->sample_rate};
    /* Work that the host's worker was given before may still come. */
    pthread_mutex_lock(&self->state_lock);
    self->has_run = false;
    atomic_store(&self->awaits_graph, false);
    self->kernel = bl_kernel_create(&configuration);
    self->plays = self->kernel != NULL && create_nodes(self) && play_graph(self);
    if (self->plays) {
        bl_export_wait(self);
    }
    bl_clock_start(&self->clock, self->plug_in->tempo);
    bool plays = self->plays;
    pthread_mutex_unlock(&self->state_lock);
    return plays;
}

void bl_export_replace_graph(bl_export_instance *self) {
    pthread_mutex_lock(&self->state_lock);
    bl_report report;
    while (self->plays && bl_kernel_receive(self->kernel, &report)) {
        if (report.type == BL_REPORT_GRAPH_RETIRED) {
            bl_graph_destroy(report.graph);
        }
    }
    if (self->plays) {
        play_graph(self);
    }
    atomic_store_explicit(&self->awaits_graph, false, memory_order_release);
    pthread_mutex_unlock(&self->state_lock);
}

void bl_export_stop(bl_export_instance *self) {
    pthread_mutex_lock(&self->state_lock);
    self->plays = false;
    if (self->kernel != NULL) {
        bl_kernel_destroy(self->kernel);
    }
    self->kernel = NULL;
    self->graph = NULL;
    for (uint32_t place = 0; self->units != NULL && place < self->plug_in->unit_count; place += 1) {
        if (self->units[place].node != NULL) {
            bl_node_destroy(self->units[place].node);
        }
        self->units[place].node = NULL;
    }
    pthread_mutex_unlock(&self->state_lock);
}
