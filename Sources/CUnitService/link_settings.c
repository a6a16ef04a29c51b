/* A link's control-side messages to its unit's process: properties, parameters, messages. */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "link_private.h"

/* Returns the timeout of a call to the process, whose end is noticed at once. A unit may read many
   gigabytes of files from a slow disk; the render thread continues meanwhile. Milliseconds */
static uint32_t timeout_of(bl_service_verb verb) {
    bool reads_files = verb == BL_SERVICE_SET_PROPERTY || verb == BL_SERVICE_ALLOCATE ||
                       verb == BL_SERVICE_WAIT_UNTIL_READY;
    return reads_files ? 600000 : 10000;
}

bl_status bl_service_ask(const bl_service_link *link, bl_service_verb verb, uint32_t index,
                         const void *text, uint32_t length, const int *descriptors, uint32_t count,
                         bl_service_reply *reply) {
    bl_service_call call = {.verb = verb,
                            .lane = link->lane_number,
                            .index = index,
                            .length = length,
                            .component = link->descriptor->component};
    *reply = (bl_service_reply){.status = BL_OK};
    if (link->process == NULL) {
        return BL_OK;
    }
    bl_service_process_ask(link->process, &call, text, descriptors, count, timeout_of(verb), reply);
    return reply->status;
}

/* Sends a property's value; a text that does not fit into a call is attached as memory. */
bl_status bl_service_send_property(const bl_service_link *link, uint32_t index, const char *value,
                                   bl_service_reply *reply) {
    size_t length = strlen(value);
    if (length <= BL_SERVICE_TEXT_CAPACITY) {
        return bl_service_ask(link, BL_SERVICE_SET_PROPERTY, index, value, (uint32_t)length, NULL,
                              0, reply);
    }
    *reply = (bl_service_reply){.status = BL_ERROR_OUT_OF_MEMORY, .message = "memory is short"};
    int descriptor = -1;
    char *memory = bl_service_memory_create(length + 1, &descriptor);
    if (memory != NULL) {
        memcpy(memory, value, length + 1);
        munmap(memory, length + 1);
        bl_service_ask(link, BL_SERVICE_SET_PROPERTY, index, NULL, 0, &descriptor, 1, reply);
        close(descriptor);
    }
    return reply->status;
}

bl_status bl_service_send_parameters(bl_service_link *link, bl_service_reply *reply) {
    static const uint32_t most = BL_SERVICE_SETTINGS_A_CALL;
    bl_service_setting *settings = malloc(most * sizeof *settings);
    uint32_t count = 0;
    bl_status status = settings == NULL ? BL_ERROR_OUT_OF_MEMORY : BL_OK;
    for (uint32_t place = 0; place < link->value_count && status == BL_OK; place += 1) {
        if (bl_service_can_set(link, place)) {
            float value = atomic_load_explicit(&link->values[place], memory_order_relaxed);
            settings[count++] = (bl_service_setting){place, value};
        }
        if (count == most || (place + 1 == link->value_count && count > 0)) {
            status = bl_service_ask(link, BL_SERVICE_SET_PARAMETERS, 0, settings,
                                    count * (uint32_t)sizeof *settings, NULL, 0, reply);
            count = 0;
        }
    }
    free(settings);
    return status;
}

bl_status bl_service_set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                                  size_t message_size) {
    bl_service_link *link = bl_service_link_of(unit);
    char *copy = index < link->descriptor->property_count ? strdup(value) : NULL;
    if (copy == NULL) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    bl_service_reply reply;
    pthread_mutex_lock(&link->mutex);
    bl_service_send_property(link, index, value, &reply);
    if (reply.status == BL_OK) {
        free(link->properties[index]);
        link->properties[index] = copy;
    } else {
        free(copy);
    }
    snprintf(message, message_size, "%s", reply.message);
    pthread_mutex_unlock(&link->mutex);
    return reply.status;
}

bl_status bl_service_load_data(bl_unit *unit, uint32_t index, const void *bytes, size_t count,
                               char *message, size_t message_size) {
    char *text = bl_text_of_data(bytes, count);
    if (text == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    bl_status status = bl_service_set_property(unit, index, text, message, message_size);
    free(text);
    return status;
}

/* The largest data accepted, ten minutes of sound at 192 kHz; a hostile process may claim more.
   Bytes */
#define MOST_DATA ((uint64_t)1 << 30)

/* Receives the data that the process has saved; a new process gets them, too. */
static void receive_data(bl_service_link *link, uint32_t index, const bl_data_writer *writer,
                         bl_service_reply *reply) {
    size_t size = reply->data_size;
    int descriptor = -1;
    if (size > MOST_DATA) {
        *reply = (bl_service_reply){BL_ERROR_UNAVAILABLE, .message = "its data are too long"};
        return;
    }
    void *memory = bl_service_memory_create(size, &descriptor);
    if (memory == NULL) {
        *reply = (bl_service_reply){BL_ERROR_OUT_OF_MEMORY, .message = "memory is short"};
        return;
    }
    bl_service_ask(link, BL_SERVICE_SAVE_DATA, index, NULL, 0, &descriptor, 1, reply);
    if (reply->status == BL_OK) {
        reply->status = writer->write(writer->context, memory, size);
    }
    bool is_kept = link->descriptor->properties[index].kind == BL_PROPERTY_DATA;
    char *text = reply->status == BL_OK && is_kept ? bl_text_of_data(memory, size) : NULL;
    if (text != NULL) {
        free(link->properties[index]);
        link->properties[index] = text;
    }
    munmap(memory, size);
    close(descriptor);
}

bl_status bl_service_save_data(bl_unit *unit, uint32_t index, const bl_data_writer *writer,
                               char *message, size_t message_size) {
    bl_service_link *link = bl_service_link_of(unit);
    bl_service_reply reply = {.status = BL_ERROR_UNAVAILABLE, .message = "its process is away"};
    pthread_mutex_lock(&link->mutex);
    if (link->process != NULL) {
        bl_service_ask(link, BL_SERVICE_SAVE_DATA, index, NULL, 0, NULL, 0, &reply);
    }
    if (reply.status == BL_OK && reply.data_size > 0) {
        receive_data(link, index, writer, &reply);
    }
    pthread_mutex_unlock(&link->mutex);
    snprintf(message, message_size, "%s", reply.message);
    return reply.status;
}

bl_status bl_service_receive_message(bl_unit *unit, const char *channel, const char *message,
                                     char *reply, size_t reply_size) {
    bl_service_link *link = bl_service_link_of(unit);
    char text[2 * BL_MESSAGE_CAPACITY];
    size_t length = strlen(channel) + 1 + strlen(message);
    if (length > sizeof text) {
        snprintf(reply, reply_size, "the message is too long");
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    memcpy(text, channel, strlen(channel) + 1);
    memcpy(text + strlen(channel) + 1, message, strlen(message));
    bl_service_reply answer = {.status = BL_ERROR_UNAVAILABLE, .message = "its process is away"};
    pthread_mutex_lock(&link->mutex);
    if (link->process != NULL) {
        bl_service_ask(link, BL_SERVICE_MESSAGE, 0, text, (uint32_t)length, NULL, 0, &answer);
    }
    pthread_mutex_unlock(&link->mutex);
    snprintf(reply, reply_size, "%s", answer.message);
    return answer.status;
}

/* Requests a short text, which is empty if the process does not answer. */
static void ask_text(const bl_unit *unit, bl_service_verb verb, uint32_t index, const void *about,
                     size_t length, bl_service_reply *reply) {
    bl_service_link *link = bl_service_link_of(unit);
    pthread_mutex_lock(&link->mutex);
    bl_service_ask(link, verb, index, about, (uint32_t)length, NULL, 0, reply);
    pthread_mutex_unlock(&link->mutex);
}

void bl_service_note_name(const bl_unit *unit, uint8_t channel, uint8_t key, char *name,
                          size_t size) {
    bl_service_reply reply;
    ask_text(unit, BL_SERVICE_NOTE_NAME, channel * 128u + key, NULL, 0, &reply);
    snprintf(name, size, "%s", reply.status == BL_OK ? reply.message : "");
}

void bl_service_value_text(const bl_unit *unit, bl_parameter_address address, float value,
                           char *text, size_t size) {
    bl_service_value about = {.address = address, .value = value};
    bl_service_reply reply;
    ask_text(unit, BL_SERVICE_VALUE_TEXT, 0, &about, sizeof about, &reply);
    snprintf(text, size, "%s", reply.status == BL_OK ? reply.message : "");
}

bool bl_service_text_value(const bl_unit *unit, bl_parameter_address address, const char *text,
                           float *value) {
    char about[sizeof(bl_service_value) + BL_VALUE_TEXT_CAPACITY];
    bl_service_value header = {.address = address};
    size_t length = strlen(text);
    bl_service_reply reply;
    if (length >= BL_VALUE_TEXT_CAPACITY) {
        return false;
    }
    memcpy(about, &header, sizeof header);
    memcpy(about + sizeof header, text, length);
    ask_text(unit, BL_SERVICE_TEXT_VALUE, 0, about, sizeof header + length, &reply);
    *value = reply.value;
    return reply.status == BL_OK;
}
