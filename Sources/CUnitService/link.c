/* A link's life, and what the unit ABI asks of it outside the cycle. */

#include <math.h>
#include <stdlib.h>

#include "link_private.h"

static bl_service_link *link_of(const bl_unit *unit) BL_NONBLOCKING {
    return (bl_service_link *)(uintptr_t)unit;
}

static void destroy(bl_unit *unit) {
    bl_service_link *link = link_of(unit);
    bl_service_watch_end(&link->watch);
    bl_service_link_detach(link);
    bl_service_free_lanes(link);
    bl_service_pipeline_destroy(&link->pipeline);
    for (uint32_t index = 0; link->properties != NULL && index < link->descriptor->property_count;
         index += 1) {
        free(link->properties[index]);
    }
    free(link->properties);
    free((void *)link->told);
    free((void *)link->is_owed);
    free(link->midi_bytes);
    pthread_mutex_destroy(&link->mutex);
    free(link);
}

/* The widest that the unit can be has a place for each of its parameters. */
static uint32_t count_values(const bl_unit_descriptor *descriptor) {
    uint32_t busses = descriptor->maximum_input_bus_count > descriptor->input_bus_count
                          ? descriptor->maximum_input_bus_count
                          : descriptor->input_bus_count;
    uint32_t count = (busses > 0 ? busses : 1) * descriptor->parameter_count;
    return count > 0 ? count : 1;
}

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    bl_service_link *link = bl_allocate_touched(1, sizeof *link);
    if (link == NULL) {
        return NULL;
    }
    link->descriptor = descriptor;
    link->value_count = count_values(descriptor);
    link->input_bus_count = descriptor->input_bus_count > 0 ? descriptor->input_bus_count : 1;
    link->properties =
        bl_allocate_touched(descriptor->property_count + 1, sizeof *link->properties);
    link->told = bl_allocate_touched(link->value_count, sizeof *link->told);
    link->is_owed = bl_allocate_touched(link->value_count, sizeof *link->is_owed);
    link->midi_bytes = bl_allocate_touched(1, BL_SERVICE_BYTE_CAPACITY);
    bool is_whole = link->properties != NULL && link->told != NULL && link->is_owed != NULL &&
                    link->midi_bytes != NULL && pthread_mutex_init(&link->mutex, NULL) == 0;
    if (!is_whole) {
        free(link->properties);
        free((void *)link->told);
        free((void *)link->is_owed);
        free(link->midi_bytes);
        free(link);
        return NULL;
    }
    for (uint32_t place = 0; descriptor->parameter_count > 0 && place < link->value_count;
         place += 1) {
        const bl_parameter_info *info =
            &descriptor->parameters[place % descriptor->parameter_count];
        atomic_init(&link->told[place], info->default_value);
    }
    atomic_init(&link->watch.patience, 500000);
    bl_service_watch_begin(&link->watch);
    link->wanted_busses = UINT64_MAX;
    return (bl_unit *)link;
}

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_service_link *link = link_of(unit);
    bl_event event = {.type = BL_EVENT_PARAMETER, .parameter = {address, value, 0}};
    bl_service_note_events(link, &event, true);
}

/* As the process tells it, as long as that can be; else as it was told. */
static float parameter_value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const bl_service_link *link = link_of(unit);
    uint32_t place = bl_service_place(link, address);
    if (place == link->value_count) {
        return 0;
    }
    float told = atomic_load_explicit(&link->told[place], memory_order_relaxed);
    bool is_owed = atomic_load_explicit(&link->is_owed[place], memory_order_relaxed);
    if (is_owed || link->lane == NULL || link->owes_all) {
        return told;
    }
    const bl_parameter_info *info =
        &link->descriptor->parameters[place % link->descriptor->parameter_count];
    float value = atomic_load_explicit(&link->lane->segment.values[place], memory_order_relaxed);
    return value >= info->minimum && value <= info->maximum ? value : told;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    atomic_store_explicit(&link_of(unit)->owes_reset, true, memory_order_relaxed);
}

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    const bl_service_link *link = link_of(unit);
    return atomic_load_explicit(&link->present_latency, memory_order_relaxed) +
           link->pipeline.delay;
}

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    return atomic_load_explicit(&link_of(unit)->present_tail_time, memory_order_relaxed);
}

void bl_service_describe(bl_unit_descriptor *descriptor) {
    bool waits = descriptor->wait_until_ready != NULL;
    descriptor->flags |= BL_UNIT_CAN_PROCESS_IN_PLACE;
    descriptor->flags &= ~(uint32_t)BL_UNIT_PROVIDES_OUTPUT;
    descriptor->create = create;
    descriptor->destroy = destroy;
    descriptor->set_property = bl_service_set_property;
    descriptor->set_parameter = set_parameter;
    descriptor->parameter_value = parameter_value;
    descriptor->allocate_render_resources = bl_service_allocate;
    descriptor->deallocate_render_resources = bl_service_deallocate;
    descriptor->reset = reset;
    descriptor->render = bl_service_render;
    descriptor->wait_until_ready = waits ? bl_service_wait_until_ready : NULL;
    descriptor->latency = latency;
    descriptor->tail_time = tail_time;
}

void bl_service_link_set_pipelined(bl_service_link *link, bool is_pipelined) {
    link->is_pipelined = is_pipelined;
}

void bl_service_link_set_patience(bl_service_link *link, uint32_t nanoseconds, uint32_t period) {
    atomic_store_explicit(&link->watch.patience, nanoseconds, memory_order_relaxed);
    atomic_store_explicit(&link->watch.period, period, memory_order_relaxed);
    bl_service_watch_change();
}

void bl_service_link_set_spin(bl_service_link *link, uint32_t nanoseconds) {
    atomic_store_explicit(&link->spin, nanoseconds, memory_order_relaxed);
}

static uint64_t read_counter(const _Atomic uint64_t *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}

void bl_service_link_statistics(const bl_service_link *link, bl_service_statistics *statistics) {
    *statistics = (bl_service_statistics){
        .requests = read_counter(&link->requests),
        .late = read_counter(&link->late),
        .absent = read_counter(&link->absent),
        .answers = read_counter(&link->answers),
        .chained = read_counter(&link->chained),
        .nonsense = read_counter(&link->nonsense),
        .events_lost = read_counter(&link->events_lost),
        .unanswered = atomic_load_explicit(&link->unanswered, memory_order_relaxed),
        .nanoseconds = atomic_load_explicit(&link->nanoseconds, memory_order_relaxed),
    };
}
