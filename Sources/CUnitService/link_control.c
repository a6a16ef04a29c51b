/* A link and its process: what is set, allocated, handed over. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "link_private.h"

/* A unit may read a long file when it gets a property or its resources. Milliseconds */
static const uint32_t control_patience = 10000;

static void free_lane(bl_service_lane *lane) {
    if (lane != NULL) {
        bl_service_segment_unmap(&lane->segment);
        close(lane->descriptor);
        bl_service_process_release(lane->process);
        free(lane);
    }
}

void bl_service_free_lanes(bl_service_link *link) {
    free_lane(atomic_exchange(&link->incoming, NULL));
    free_lane(atomic_exchange(&link->outgoing, NULL));
    free_lane(link->lane);
    link->lane = NULL;
    link->newest = NULL;
    link->turn = BL_TURN_NONE;
}

static bl_status ask(const bl_service_link *link, bl_service_verb verb, uint32_t index,
                     const void *text, uint32_t length, const int *descriptors, uint32_t count,
                     bl_service_reply *reply) {
    bl_service_call call = {.verb = verb,
                            .lane = link->lane_number,
                            .index = index,
                            .length = length,
                            .component = link->descriptor->component};
    bl_service_process_ask(link->process, &call, text, descriptors, count, control_patience, reply);
    return reply->status;
}

/* Tells the process every parameter that can be set. */
static bl_status tell_parameters(bl_service_link *link, bl_service_reply *reply) {
    static const uint32_t most = BL_SERVICE_SETTINGS_A_CALL;
    bl_service_setting *settings = malloc(most * sizeof *settings);
    uint32_t parameters = link->descriptor->parameter_count, count = 0;
    bl_status status = settings == NULL ? BL_ERROR_OUT_OF_MEMORY : BL_OK;
    for (uint32_t place = 0; parameters > 0 && place < link->value_count && status == BL_OK;
         place += 1) {
        uint32_t flags = link->descriptor->parameters[place % parameters].flags;
        bool is_there = place < parameters || (flags & BL_PARAMETER_PER_INPUT_BUS) != 0;
        if (is_there && place / parameters < link->input_bus_count &&
            (flags & BL_PARAMETER_WRITABLE) != 0) {
            float value = atomic_load_explicit(&link->told[place], memory_order_relaxed);
            settings[count++] = (bl_service_setting){place, value};
        }
        if (count == most || (place + 1 == link->value_count && count > 0)) {
            status = ask(link, BL_SERVICE_SET_PARAMETERS, 0, settings,
                         count * (uint32_t)sizeof *settings, NULL, 0, reply);
            count = 0;
        }
    }
    free(settings);
    return status;
}

/* A lane of the present process, allocated there; NULL: see the reply. */
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
    bl_status status = tell_parameters(link, reply);
    if (status == BL_OK) {
        status = ask(link, BL_SERVICE_ALLOCATE, 0, &link->format, sizeof link->format,
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
    bl_service_take_times(link, reply->latency, reply->tail_time);
    return lane;
}

static bool make_format(bl_service_format *format, const bl_service_link *link,
                        const bl_render_configuration *configuration) {
    bl_service_shape *shape = &format->shape;
    *format = (bl_service_format){.sample_rate = configuration->sample_rate};
    shape->maximum_frames = configuration->maximum_frames;
    shape->value_count = link->value_count;
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

bl_status bl_service_allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_service_link *link = (bl_service_link *)unit;
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
            bl_service_settle_events(link);
        }
    }
    link->is_allocated = status == BL_OK;
    pthread_mutex_unlock(&link->mutex);
    return status;
}

void bl_service_deallocate(bl_unit *unit) {
    bl_service_link *link = (bl_service_link *)unit;
    pthread_mutex_lock(&link->mutex);
    if (link->process != NULL) {
        bl_service_reply reply;
        ask(link, BL_SERVICE_DEALLOCATE, 0, NULL, 0, NULL, 0, &reply);
    }
    link->is_allocated = false;
    bl_service_free_lanes(link);
    bl_service_pipeline_destroy(&link->pipeline);
    pthread_mutex_unlock(&link->mutex);
}

bl_status bl_service_set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                                  size_t message_size) {
    bl_service_link *link = (bl_service_link *)unit;
    char *copy = index < link->descriptor->property_count ? strdup(value) : NULL;
    if (copy == NULL) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    if (strlen(value) >= BL_SERVICE_TEXT_CAPACITY) {
        snprintf(message, message_size, "the text is too long");
        free(copy);
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    bl_service_reply reply = {.status = BL_OK};
    pthread_mutex_lock(&link->mutex);
    if (link->process != NULL) {
        ask(link, BL_SERVICE_SET_PROPERTY, index, value, (uint32_t)strlen(value), NULL, 0, &reply);
    }
    if (reply.status == BL_OK) {
        free(link->properties[index]);
        link->properties[index] = copy;
    } else {
        snprintf(message, message_size, "%s", reply.message);
        free(copy);
    }
    pthread_mutex_unlock(&link->mutex);
    return reply.status;
}

void bl_service_wait_until_ready(bl_unit *unit, uint32_t frames) {
    bl_service_link *link = (bl_service_link *)unit;
    bl_service_reply reply;
    pthread_mutex_lock(&link->mutex);
    if (link->process != NULL) {
        ask(link, BL_SERVICE_WAIT_UNTIL_READY, frames, NULL, 0, NULL, 0, &reply);
    }
    pthread_mutex_unlock(&link->mutex);
}

static bl_status load(bl_service_link *link, int library, const char *name,
                      bl_service_reply *reply) {
    bl_status status =
        ask(link, BL_SERVICE_LOAD, 0, name, (uint32_t)strlen(name), &library, library >= 0, reply);
    if (status == BL_OK && reply->parameter_count != link->descriptor->parameter_count) {
        snprintf(reply->message, sizeof reply->message, "it has changed since it was looked at");
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    for (uint32_t index = 0; index < link->descriptor->property_count && status == BL_OK;
         index += 1) {
        const char *value = link->properties[index];
        if (value != NULL) {
            status = ask(link, BL_SERVICE_SET_PROPERTY, index, value, (uint32_t)strlen(value), NULL,
                         0, reply);
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
                                 int library, const char *name, char *message,
                                 size_t message_size) {
    bl_service_reply reply;
    pthread_mutex_lock(&link->mutex);
    detach(link);
    bl_service_process_retain(process);
    link->process = process;
    link->lane_number = lane;
    bl_status status = load(link, library, name, &reply);
    if (status == BL_OK) {
        status = tell_parameters(link, &reply);
    }
    if (status == BL_OK && link->is_allocated) {
        bl_service_lane *made = make_lane(link, &reply);
        status = reply.status;
        if (made != NULL) {
            free_lane(atomic_exchange(&link->outgoing, NULL));
            link->newest = made;
            /* One that the render thread has not taken yet was the present one's, too. */
            free_lane(atomic_exchange(&link->incoming, made));
        }
    }
    if (status != BL_OK) {
        snprintf(message, message_size, "%s", reply.message);
        ask(link, BL_SERVICE_UNLOAD, 0, NULL, 0, NULL, 0, &reply);
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
    if (link->process != NULL) {
        ask(link, BL_SERVICE_UNLOAD, 0, NULL, 0, NULL, 0, &reply);
    }
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
        ask(second, BL_SERVICE_CONNECT, 0, &from->segment.shape, sizeof from->segment.shape,
            &from->descriptor, 1, &reply);
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
