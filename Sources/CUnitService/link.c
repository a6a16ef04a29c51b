/* A link on the control side: its lifetime, its process, and the unit ABI outside the cycle. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "link_private.h"

static void free_lane(bl_service_lane *lane) {
    if (lane != NULL) {
        bl_service_segment_unmap(&lane->segment);
        close(lane->descriptor);
        bl_service_process_release(lane->process);
        free(lane);
    }
}

static void free_lanes(bl_service_link *link) {
    free_lane(atomic_exchange(&link->incoming, NULL));
    free_lane(atomic_exchange(&link->outgoing, NULL));
    free_lane(link->lane);
    link->lane = NULL;
    link->newest = NULL;
    link->state = BL_CYCLE_NONE;
}

/* Allocates a lane of the current process; NULL: the reply has the reason. */
static bl_service_lane *make_lane(bl_service_link *link, bl_service_reply *reply) {
    static _Atomic uint64_t serial = 0;
    bl_service_lane *lane = calloc(1, sizeof *lane);
    *reply = (bl_service_reply){.status = BL_ERROR_OUT_OF_MEMORY};
    if (lane == NULL) {
        return NULL;
    }
    if (!bl_service_segment_create(&lane->segment, &link->format.shape, &lane->descriptor)) {
        snprintf(reply->message, sizeof reply->message, "%s", strerror(errno));
        free(lane);
        return NULL;
    }
    lane->process = link->process;
    lane->number = link->lane_number;
    lane->serial = atomic_fetch_add(&serial, 1) + 1;
    bl_service_process_retain(lane->process);
    bl_status status = bl_service_send_parameters(link, reply);
    if (status == BL_OK) {
        status = bl_service_ask(link, BL_SERVICE_ALLOCATE, 0, &link->format, sizeof link->format,
                                &lane->descriptor, 1, reply);
    }
    if (status == BL_OK && !bl_service_memory_seal(lane->descriptor)) {
        status = BL_ERROR_UNAVAILABLE;
        snprintf(reply->message, sizeof reply->message, "its memory cannot be sealed: %s",
                 strerror(errno));
    }
    if (status != BL_OK) {
        reply->status = status;
        free_lane(lane);
        return NULL;
    }
    bl_service_set_times(link, reply->latency, reply->tail_time);
    return lane;
}

static bool make_format(bl_service_format *format, const bl_service_link *link,
                        const bl_render_configuration *configuration) {
    bl_service_shape *shape = &format->shape;
    *format = (bl_service_format){.sample_rate = configuration->sample_rate};
    shape->maximum_frames = configuration->maximum_frames;
    shape->value_count = link->value_count;
    shape->telemetry_capacity = link->telemetry_capacity;
    shape->input_bus_count = configuration->input_bus_count;
    shape->output_bus_count = configuration->output_bus_count;
    if (shape->input_bus_count > BL_SERVICE_MAXIMUM_BUSSES ||
        shape->output_bus_count > BL_SERVICE_MAXIMUM_BUSSES) {
        return false;
    }
    memcpy(shape->input_channel_counts, configuration->input_channel_counts,
           shape->input_bus_count * sizeof(uint32_t));
    memcpy(shape->output_channel_counts, configuration->output_channel_counts,
           shape->output_bus_count * sizeof(uint32_t));
    return bl_service_shape_is_valid(shape);
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_service_link *link = bl_service_link_of(unit);
    bl_service_format format;
    if (!make_format(&format, link, configuration)) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    bl_status status = BL_OK;
    pthread_mutex_lock(&link->mutex);
    link->format = format;
    bl_service_pipeline_destroy(&link->pipeline);
    if (link->is_pipelined && !bl_service_pipeline_create(&link->pipeline, &format.shape)) {
        pthread_mutex_unlock(&link->mutex);
        return BL_ERROR_OUT_OF_MEMORY;
    }
    link->input_bus_count = format.shape.input_bus_count > 0 ? format.shape.input_bus_count : 1;
    if (link->process != NULL) {
        bl_service_reply reply;
        link->lane = make_lane(link, &reply);
        link->newest = link->lane;
        status = reply.status;
        if (link->lane != NULL) {
            bl_service_clear_unsent(link);
        }
    }
    link->is_allocated = status == BL_OK;
    pthread_mutex_unlock(&link->mutex);
    return status;
}

static void deallocate(bl_unit *unit) {
    bl_service_link *link = bl_service_link_of(unit);
    bl_service_reply reply;
    pthread_mutex_lock(&link->mutex);
    bl_service_ask(link, BL_SERVICE_DEALLOCATE, 0, NULL, 0, NULL, 0, &reply);
    link->is_allocated = false;
    free_lanes(link);
    bl_service_pipeline_destroy(&link->pipeline);
    pthread_mutex_unlock(&link->mutex);
}

static void wait_until_ready(bl_unit *unit, uint32_t frames) {
    bl_service_link *link = bl_service_link_of(unit);
    bl_service_reply reply;
    pthread_mutex_lock(&link->mutex);
    bl_service_ask(link, BL_SERVICE_WAIT_UNTIL_READY, frames, NULL, 0, NULL, 0, &reply);
    pthread_mutex_unlock(&link->mutex);
}

static bl_status load(bl_service_link *link, const bl_service_source *source,
                      bl_service_reply *reply) {
    char text[2 * BL_MESSAGE_CAPACITY];
    size_t length = (size_t)snprintf(text, sizeof text, "%s%c%s%c%s%c%s", source->name, 0,
                                     source->plug_in != NULL ? source->plug_in : "", 0,
                                     source->folder != NULL ? source->folder : "", 0,
                                     source->data_folder != NULL ? source->data_folder : "");
    if (length >= sizeof text) {
        snprintf(reply->message, sizeof reply->message, "its name is too long");
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    bl_status status =
        bl_service_ask(link, BL_SERVICE_LOAD, source->may_split, text, (uint32_t)length,
                       &source->library, source->library >= 0, reply);
    if (status == BL_OK && reply->parameter_count != link->descriptor->parameter_count) {
        snprintf(reply->message, sizeof reply->message, "it has changed since it was looked at");
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    for (uint32_t index = 0; index < link->descriptor->property_count && status == BL_OK;
         index += 1) {
        const char *value = link->properties[index];
        if (value != NULL) {
            status = bl_service_send_property(link, index, value, reply);
        }
    }
    return status;
}

static void detach(bl_service_link *link) {
    if (link->newest != NULL) {
        atomic_store(&link->newest->is_dead, true);
        bl_futex_wake(&link->newest->segment.words->answered);
    }
    bl_service_process_release(link->process);
    link->process = NULL;
}

bl_status bl_service_link_attach(bl_service_link *link, bl_service_process *process, uint32_t lane,
                                 const bl_service_source *source, char *message,
                                 size_t message_size) {
    bl_service_reply reply;
    pthread_mutex_lock(&link->mutex);
    detach(link);
    bl_service_process_retain(process);
    link->process = process;
    link->lane_number = lane;
    bl_status status = load(link, source, &reply);
    if (status == BL_OK) {
        status = bl_service_send_parameters(link, &reply);
    }
    if (status == BL_OK && link->is_allocated) {
        bl_service_lane *made = make_lane(link, &reply);
        status = reply.status;
        if (made != NULL) {
            free_lane(atomic_exchange(&link->outgoing, NULL));
            link->newest = made;
            free_lane(atomic_exchange(&link->incoming, made));
        }
    }
    if (status != BL_OK) {
        snprintf(message, message_size, "%s", reply.message);
        bl_service_ask(link, BL_SERVICE_UNLOAD, 0, NULL, 0, NULL, 0, &reply);
        detach(link);
    }
    pthread_mutex_unlock(&link->mutex);
    return status;
}

void bl_service_link_detach(bl_service_link *link) {
    pthread_mutex_lock(&link->mutex);
    detach(link);
    pthread_mutex_unlock(&link->mutex);
}

void bl_service_link_unload(bl_service_link *link) {
    bl_service_reply reply;
    pthread_mutex_lock(&link->mutex);
    bl_service_ask(link, BL_SERVICE_UNLOAD, 0, NULL, 0, NULL, 0, &reply);
    detach(link);
    pthread_mutex_unlock(&link->mutex);
}

static void lock_both(bl_service_link *first, bl_service_link *second) {
    bool in_order = first < second;
    pthread_mutex_lock(in_order ? &first->mutex : &second->mutex);
    pthread_mutex_lock(in_order ? &second->mutex : &first->mutex);
}

bl_status bl_service_link_connect(bl_service_link *first, bl_service_link *second, char *message,
                                  size_t message_size) {
    bl_service_reply reply = {.status = BL_ERROR_UNAVAILABLE};
    lock_both(first, second);
    bl_service_lane *from = first->newest, *to = second->newest;
    bool are_there = from != NULL && to != NULL && first->process != NULL &&
                     second->process != NULL && first != second;
    uint32_t source = BL_SERVICE_SOURCE_LANE + first->lane_number;
    if (are_there && first->process == second->process) {
        reply.status = BL_OK;
    } else if (are_there) {
        source = BL_SERVICE_SOURCE_NEIGHBOUR;
        bl_service_ask(second, BL_SERVICE_CONNECT, 0, &from->segment.shape,
                       sizeof from->segment.shape, &from->descriptor, 1, &reply);
    }
    if (reply.status == BL_OK) {
        atomic_store_explicit(&to->source, source, memory_order_relaxed);
        atomic_store_explicit(&to->source_serial, from->serial, memory_order_release);
    } else {
        snprintf(message, message_size, "%s", reply.message);
    }
    pthread_mutex_unlock(&first->mutex);
    pthread_mutex_unlock(&second->mutex);
    return reply.status;
}

static void destroy(bl_unit *unit) {
    bl_service_link *link = bl_service_link_of(unit);
    bl_service_wait_remove(&link->wait);
    bl_service_link_detach(link);
    free_lanes(link);
    bl_service_pipeline_destroy(&link->pipeline);
    for (uint32_t index = 0; index < link->descriptor->property_count; index += 1) {
        free(link->properties[index]);
    }
    bl_arena_free(&link->arena);
    pthread_mutex_destroy(&link->mutex);
    free(link);
}

/* Returns the number of values of a unit with the maximum of busses. */
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
    bl_arena *arena = &link->arena;
    link->properties = bl_arena_allocate(arena, descriptor->property_count, sizeof(char *));
    link->values = bl_arena_allocate(arena, link->value_count, sizeof *link->values);
    link->is_unsent = bl_arena_allocate(arena, link->value_count, sizeof *link->is_unsent);
    link->midi_bytes = bl_arena_allocate(arena, 1, BL_SERVICE_BYTE_CAPACITY);
    link->shown = bl_arena_allocate(arena, descriptor->telemetry_count, sizeof *link->shown);
    for (uint32_t index = 0; !arena->failed && index < descriptor->telemetry_count; index += 1) {
        uint32_t capacity = descriptor->telemetry[index].capacity;
        link->shown[index].values = bl_arena_allocate(arena, capacity, sizeof(float));
        link->telemetry_capacity =
            capacity > link->telemetry_capacity ? capacity : link->telemetry_capacity;
    }
    if (arena->failed || pthread_mutex_init(&link->mutex, NULL) != 0) {
        bl_arena_free(arena);
        free(link);
        return NULL;
    }
    for (uint32_t place = 0; descriptor->parameter_count > 0 && place < link->value_count;
         place += 1) {
        const bl_parameter_info *info =
            &descriptor->parameters[place % descriptor->parameter_count];
        atomic_init(&link->values[place], info->default_value);
    }
    atomic_init(&link->wait.timeout, 500000);
    atomic_init(&link->offline_timeout, 5000000000);
    bl_service_wait_add(&link->wait);
    link->requested_busses = UINT64_MAX;
    return (bl_unit *)link;
}

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_service_link *link = bl_service_link_of(unit);
    bl_event event = {.type = BL_EVENT_PARAMETER, .parameter = {address, value, 0}};
    bl_service_record_values(link, &event, true);
}

/* Returns the process's value if it is valid, otherwise the last value set. */
static float parameter_value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const bl_service_link *link = bl_service_link_of(unit);
    uint32_t place =
        bl_parameter_place(address, link->descriptor->parameter_count, link->value_count);
    if (place == link->value_count) {
        return 0;
    }
    float own = atomic_load_explicit(&link->values[place], memory_order_relaxed);
    bool is_unsent = atomic_load_explicit(&link->is_unsent[place], memory_order_relaxed);
    if (is_unsent || link->lane == NULL || link->needs_all) {
        return own;
    }
    const bl_parameter_info *info =
        &link->descriptor->parameters[place % link->descriptor->parameter_count];
    float value = atomic_load_explicit(&link->lane->segment.values[place], memory_order_relaxed);
    return value >= info->minimum && value <= info->maximum ? value : own;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    atomic_store_explicit(&bl_service_link_of(unit)->needs_reset, true, memory_order_relaxed);
}

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    const bl_service_link *link = bl_service_link_of(unit);
    return atomic_load_explicit(&link->present_latency, memory_order_relaxed) +
           link->pipeline.delay;
}

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    return atomic_load_explicit(&bl_service_link_of(unit)->present_tail_time, memory_order_relaxed);
}

/* Reads the process's last values; requests new ones. */
static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    bl_service_link *link = bl_service_link_of(unit);
    const bl_service_shown *shown = &link->shown[index];
    link->wanted_telemetry = index + 1;
    memcpy(values, shown->values, shown->count * sizeof *values);
    return shown->count;
}

void bl_service_describe(bl_unit_descriptor *descriptor) {
    bool waits = descriptor->wait_until_ready != NULL, names = descriptor->note_name != NULL,
         has_texts = descriptor->value_text != NULL;
    descriptor->flags |= BL_UNIT_CAN_PROCESS_IN_PLACE;
    descriptor->flags &= ~(uint32_t)BL_UNIT_PROVIDES_OUTPUT;
    descriptor->create = create;
    descriptor->destroy = destroy;
    descriptor->set_property = bl_service_set_property;
    descriptor->set_parameter = set_parameter;
    descriptor->parameter_value = parameter_value;
    descriptor->allocate_render_resources = allocate;
    descriptor->deallocate_render_resources = deallocate;
    descriptor->reset = reset;
    descriptor->render = bl_service_render;
    descriptor->wait_until_ready = waits ? wait_until_ready : NULL;
    descriptor->latency = latency;
    descriptor->tail_time = tail_time;
    descriptor->read_telemetry = read_telemetry;
    descriptor->receive_message = bl_service_receive_message;
    descriptor->save_data = bl_service_save_data;
    descriptor->load_data = bl_service_load_data;
    descriptor->note_name = names ? bl_service_note_name : NULL;
    descriptor->value_text = has_texts ? bl_service_value_text : NULL;
    descriptor->text_value = has_texts ? bl_service_text_value : NULL;
}

void bl_service_link_set_pipelined(bl_service_link *link, bool is_pipelined) {
    link->is_pipelined = is_pipelined;
}

void bl_service_link_set_timeout(bl_service_link *link, uint32_t nanoseconds, uint32_t period) {
    atomic_store_explicit(&link->wait.timeout, nanoseconds, memory_order_relaxed);
    atomic_store_explicit(&link->wait.period, period, memory_order_relaxed);
    bl_service_wait_changed();
}

void bl_service_link_set_spin(bl_service_link *link, uint32_t nanoseconds) {
    atomic_store_explicit(&link->spin, nanoseconds, memory_order_relaxed);
}

void bl_service_link_set_offline_timeout(bl_service_link *link, uint64_t nanoseconds) {
    atomic_store_explicit(&link->offline_timeout, nanoseconds, memory_order_relaxed);
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
        .invalid = read_counter(&link->invalid),
        .events_lost = read_counter(&link->events_lost),
        .unanswered = atomic_load_explicit(&link->unanswered, memory_order_relaxed),
        .nanoseconds = atomic_load_explicit(&link->nanoseconds, memory_order_relaxed),
    };
}
