/* The life cycle of an instance, up to run. */
#include "work.h"

/* Hz. A higher rate would make the memory for delays useless. */
#define HIGHEST_RATE 3072000.0

static uint32_t sum(const uint32_t *numbers, uint32_t count) {
    uint32_t total = 0;
    for (uint32_t index = 0; index < count; index += 1) {
        total += numbers[index];
    }
    return total;
}

static uint32_t count_ports(const bl_plug_in *plug_in, bl_port_kind kind) {
    uint32_t count = 0;
    for (uint32_t port = 0; port < plug_in->port_count; port += 1) {
        count += plug_in->ports[port].kind == kind;
    }
    return count;
}

static bool allocate(bl_export_instance *self) {
    const bl_plug_in *plug_in = self->plug_in;
    bl_arena *arena = &self->arena;
    self->input_count =
        sum(plug_in->plan.graph.input_channel_counts, plug_in->plan.graph.input_count);
    self->output_count =
        sum(plug_in->plan.graph.output_channel_counts, plug_in->plan.graph.output_count);
    self->event_input_count = count_ports(plug_in, BL_PORT_EVENT_INPUT);
    self->event_output_count = count_ports(plug_in, BL_PORT_EVENT_OUTPUT);
    self->texts = bl_arena_allocate(arena, plug_in->state_count, sizeof *self->texts);
    self->keys = bl_arena_allocate(arena, plug_in->state_count, sizeof *self->keys);
    self->connected = bl_arena_allocate(arena, plug_in->port_count, sizeof *self->connected);
    self->values = bl_arena_allocate(arena, plug_in->port_count, sizeof *self->values);
    self->inputs = bl_arena_allocate(arena, self->input_count, sizeof *self->inputs);
    self->outputs = bl_arena_allocate(arena, self->output_count, sizeof *self->outputs);
    self->memory =
        bl_arena_allocate(arena, (size_t)self->input_count * plug_in->plan.block, sizeof(float));
    self->silence = bl_arena_allocate(arena, plug_in->plan.block, sizeof(float));
    self->scratch = bl_arena_allocate(arena, plug_in->plan.block, sizeof(float));
    self->event_inputs =
        bl_arena_allocate(arena, self->event_input_count, sizeof *self->event_inputs);
    self->event_outputs =
        bl_arena_allocate(arena, self->event_output_count, sizeof *self->event_outputs);
    self->event_capacities =
        bl_arena_allocate(arena, self->event_output_count, sizeof *self->event_capacities);
    return !arena->failed &&
           (count_ports(plug_in, BL_PORT_ENABLED) == 0 || bl_dry_sound_prepare(self));
}

LV2_Handle bl_export_instantiate(const LV2_Descriptor *descriptor, double sample_rate,
                                 const char *bundle_path, const LV2_Feature *const *features) {
    bool is_rate = sample_rate >= 1 && sample_rate <= HIGHEST_RATE;
    bl_export_instance *self = is_rate ? calloc(1, sizeof *self) : NULL;
    if (self == NULL) {
        return NULL;
    }
    self->plug_in = (const bl_plug_in *)descriptor;
    self->sample_rate = sample_rate;
    pthread_mutex_init(&self->state_lock, NULL);
    LV2_URID_Map *map = bl_export_find_feature(features, LV2_URID__map);
    bl_export_map_uris(&self->urids, map);
    if (!allocate(self)) {
        bl_export_cleanup(self);
        return NULL;
    }
    self->log = bl_export_find_feature(features, LV2_LOG__log);
    bl_work_prepare(self, map, bl_export_find_feature(features, LV2_WORKER__schedule));
    bl_plug_in *plug_in = (bl_plug_in *)(uintptr_t)descriptor;
    bl_export_find_units(plug_in, bundle_path);
    if (!bl_rack_create(&self->rack, &plug_in->plan, bundle_path) ||
        !bl_rack_allocate(&self->rack, sample_rate, plug_in->plan.block)) {
        bl_export_cleanup(self);
        return NULL;
    }
    return self;
}

void bl_export_connect_port(LV2_Handle handle, uint32_t port, void *data) {
    bl_export_instance *self = handle;
    if (port < self->plug_in->port_count) {
        self->connected[port] = data;
    }
}

void bl_export_start(bl_export_instance *self) {
    /* Work that the worker received before may still arrive. */
    pthread_mutex_lock(&self->state_lock);
    self->has_run = false;
    atomic_store(&self->awaits_graph, false);
    if (!bl_rack_start(&self->rack)) {
        bl_rack_stop(&self->rack);
    }
    bl_clock_start(&self->clock, self->plug_in->plan.tempo);
    pthread_mutex_unlock(&self->state_lock);
}

void bl_export_stop(bl_export_instance *self) {
    pthread_mutex_lock(&self->state_lock);
    if (self->rack.plan != NULL) {
        bl_rack_stop(&self->rack);
    }
    pthread_mutex_unlock(&self->state_lock);
}

void bl_export_replace_graph(bl_export_instance *self) {
    pthread_mutex_lock(&self->state_lock);
    bl_rack_replace_graph(&self->rack);
    atomic_store_explicit(&self->awaits_graph, false, memory_order_release);
    pthread_mutex_unlock(&self->state_lock);
}

void bl_export_activate(LV2_Handle handle) {
    bl_export_stop(handle);
    bl_export_start(handle);
}

void bl_export_deactivate(LV2_Handle handle) { bl_export_stop(handle); }

void bl_export_cleanup(LV2_Handle handle) {
    bl_export_instance *self = handle;
    bl_export_stop(self);
    if (self->rack.plan != NULL) {
        bl_rack_destroy(&self->rack);
    }
    for (uint32_t entry = 0; self->texts != NULL && entry < self->plug_in->state_count;
         entry += 1) {
        free(self->texts[entry]);
    }
    pthread_mutex_destroy(&self->state_lock);
    bl_arena_free(&self->arena);
    free(self);
}
