/* The control thread: answers the host's calls. */

#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../CUnitService/futex.h"
#include "bridge/bridge.h"
#include "confinement/confinement.h"
#include "foreign_units/crash_report.h"
#include "foreign_units/guarded_unit.h"
#include "foreign_units/render_thread.h"
#include "lane.h"

#define MOST_DESCRIPTORS 2
/* The most paths, more than any bundle and its assets need. */
#define MOST_PATHS 256

typedef struct call {
    bl_service_call header;
    char text[BL_SERVICE_TEXT_CAPACITY + 1];
    int descriptors[MOST_DESCRIPTORS];
    uint32_t descriptor_count;
} call;

static void fail(bl_service_reply *reply, bl_status status, const char *message) {
    reply->status = status;
    snprintf(reply->message, sizeof reply->message, "%s", message);
}

/* Returns what follows a text of the call; "" for nothing. */
static const char *text_after(const call *call, const char *text) {
    /* The call's text ends with 0 at its end, too. */
    const char *next = text + strlen(text) + 1;
    return next <= call->text + call->header.length ? next : "";
}

/* Confines the process to a list of paths as in BL_SERVICE_CONFINE. */
static uint32_t confine(const char *paths, size_t length, char *missing, size_t missing_size) {
    const char *readable[MOST_PATHS + 1] = {NULL};
    const char *writable[MOST_PATHS + 1] = {NULL};
    size_t readable_count = 0, writable_count = 0;
    const char *end = paths + length;
    for (const char *path = paths; path < end; path += strnlen(path, (size_t)(end - path)) + 1) {
        if (*path == 'r' && readable_count < MOST_PATHS) {
            readable[readable_count++] = path + 1;
        } else if (*path == 'w' && writable_count < MOST_PATHS) {
            writable[writable_count++] = path + 1;
        }
    }
    bl_confinement confinement = {
        .readable_paths = readable,
        .writable_paths = writable,
#if !BL_HAS_FEATURE(address_sanitizer) && !BL_HAS_FEATURE(thread_sanitizer)
        .memory_limit = (uint64_t)4 << 30, /* sound files are read into memory */
#endif
        .descriptor_limit = 256,
        .file_size_limit = (uint64_t)64 << 20,
        .realtime_limit = 200000, /* the host no longer waits for such a cycle */
        .report_descriptor = STDERR_FILENO,
    };
    return bl_confine(&confinement, missing, missing_size);
}

/* Starts the render thread. Call it after the process is confined: existing threads are not
 * confined. */
static bool start_rendering(bl_unit_process *process) {
    pthread_t thread;
    if (atomic_load(&process->thread) != 0) {
        return true;
    }
    if (bl_create_render_thread(&thread, NULL, bl_serve, process) != 0) {
        return false;
    }
    pthread_detach(thread);
    while (atomic_load(&process->thread) == 0) {
        sched_yield();
    }
    return true;
}

static void load(bl_lane *lane, const call *call, bl_service_reply *reply) {
    int library = call->descriptor_count > 0 ? call->descriptors[0] : -1;
    snprintf(lane->name, sizeof lane->name, "%s", call->text);
    bl_activity former = bl_set_activity((bl_activity){"loading", lane->name});
    const char *plug_in = text_after(call, call->text);
    const char *folder = text_after(call, plug_in);
    const bl_unit_descriptor *found =
        *plug_in != 0
            ? bl_find_plug_in(plug_in, folder, reply->message, sizeof reply->message)
            : bl_find_unit(library, &call->header.component, reply->message, sizeof reply->message);
    bl_set_activity(former);
    if (found == NULL) {
        reply->status = BL_ERROR_NO_SUCH_ELEMENT;
        return;
    }
    if (*plug_in != 0) {
        bl_bridge_keep_files(found, text_after(call, folder));
    }
    if (*plug_in != 0 && call->header.index != 0) {
        bl_bridge_split(found);
    }
    lane->descriptor = bl_guarded_unit(found);
    lane->unit = lane->descriptor != NULL ? lane->descriptor->create(lane->descriptor) : NULL;
    if (lane->unit == NULL) {
        lane->descriptor = NULL;
        fail(reply, BL_ERROR_OUT_OF_MEMORY, "memory is short");
        return;
    }
    lane->input_bus_count = 1;
    lane->value_count = lane->descriptor->parameter_count;
    reply->parameter_count = lane->descriptor->parameter_count;
}

static void set_property(bl_lane *lane, const call *call, bl_service_reply *reply) {
    if (call->header.index >= lane->descriptor->property_count) {
        fail(reply, BL_ERROR_NO_SUCH_ELEMENT, "there is no such property");
        return;
    }
    struct stat facts = {0};
    char *memory = NULL;
    if (call->descriptor_count == 1) {
        bool is_there = fstat(call->descriptors[0], &facts) == 0;
        memory = is_there ? bl_service_memory_map((size_t)facts.st_size, call->descriptors[0],
                                                  BL_SERVICE_READ)
                          : NULL;
        if (memory == NULL) {
            fail(reply, BL_ERROR_OUT_OF_MEMORY, "memory is short");
            return;
        }
    }
    const char *value = memory != NULL ? memory : call->text;
    reply->status = bl_set_property(lane->descriptor, lane->unit, call->header.index, value,
                                    reply->message, sizeof reply->message);
    if (memory != NULL) {
        munmap(memory, (size_t)facts.st_size);
    }
}

/* Without memory, saves the data and replies their size; with memory, copies them there. */
static void save_data(bl_lane *lane, const call *call, bl_service_reply *reply) {
    if (call->header.index >= lane->descriptor->property_count ||
        lane->descriptor->save_data == NULL) {
        fail(reply, BL_ERROR_NO_SUCH_ELEMENT, "there are no such data");
        return;
    }
    if (call->descriptor_count == 0) {
        free(lane->data.bytes);
        lane->data = (bl_data){0};
        bl_data_writer writer = bl_data_writer_to(&lane->data);
        reply->status = lane->descriptor->save_data(lane->unit, call->header.index, &writer,
                                                    reply->message, sizeof reply->message);
        reply->data_size = lane->data.count;
        return;
    }
    void *memory =
        bl_service_memory_map(lane->data.count, call->descriptors[0], BL_SERVICE_READ_WRITE);
    if (memory == NULL) {
        fail(reply, BL_ERROR_OUT_OF_MEMORY, "memory is short");
        return;
    }
    memcpy(memory, lane->data.bytes, lane->data.count);
    munmap(memory, lane->data.count);
    free(lane->data.bytes);
    lane->data = (bl_data){0};
}

static void name_note(const bl_lane *lane, uint32_t index, bl_service_reply *reply) {
    if (lane->descriptor->note_name != NULL) {
        lane->descriptor->note_name(lane->unit, (uint8_t)(index / 128 % 16), index % 128,
                                    reply->message, sizeof reply->message);
    }
}

/* Reads the header of a call about a value; false if it is truncated, or the unit has no texts. */
static bool read_value(const bl_lane *lane, const call *call, bl_service_value *value) {
    bool is_there = call->header.length >= sizeof *value && lane->descriptor->value_text != NULL &&
                    lane->descriptor->text_value != NULL;
    if (is_there) {
        memcpy(value, call->text, sizeof *value);
    }
    return is_there;
}

static void write_value(const bl_lane *lane, const call *call, bl_service_reply *reply) {
    bl_service_value value;
    if (read_value(lane, call, &value)) {
        lane->descriptor->value_text(lane->unit, value.address, value.value, reply->message,
                                     sizeof reply->message);
    }
}

static void read_text(const bl_lane *lane, const call *call, bl_service_reply *reply) {
    bl_service_value value;
    bool is_text = read_value(lane, call, &value) &&
                   lane->descriptor->text_value(lane->unit, value.address,
                                                call->text + sizeof value, &reply->value);
    reply->status = is_text ? BL_OK : BL_ERROR_NO_SUCH_ELEMENT;
}

static void receive_message(bl_lane *lane, const call *call, bl_service_reply *reply) {
    if (lane->descriptor->receive_message == NULL) {
        fail(reply, BL_ERROR_NO_SUCH_ELEMENT, "the unit has no message channels");
        return;
    }
    reply->status =
        lane->descriptor->receive_message(lane->unit, call->text, text_after(call, call->text),
                                          reply->message, sizeof reply->message);
}

static void set_parameters(bl_lane *lane, const call *call) {
    uint32_t count = call->header.length / (uint32_t)sizeof(bl_service_setting);
    uint32_t parameters = lane->descriptor->parameter_count;
    for (uint32_t index = 0; index < count && parameters > 0; index += 1) {
        bl_service_setting setting;
        memcpy(&setting, call->text + index * sizeof setting, sizeof setting);
        bl_parameter_address address =
            BL_PARAMETER_ADDRESS(setting.place % parameters, setting.place / parameters);
        lane->descriptor->set_parameter(lane->unit, address, setting.value);
    }
}

static void deallocate(bl_unit_process *process, bl_lane *lane) {
    if (!lane->is_allocated) {
        return;
    }
    pthread_mutex_lock(&process->serving);
    lane->is_allocated = false;
    pthread_mutex_unlock(&process->serving);
    lane->descriptor->deallocate_render_resources(lane->unit);
    bl_service_segment_unmap(&lane->segment);
    free(lane->events);
    lane->events = NULL;
}

static void allocate(bl_unit_process *process, bl_lane *lane, const call *call,
                     bl_service_reply *reply) {
    bl_service_format format;
    if (call->header.length != sizeof format || call->descriptor_count != 1) {
        fail(reply, BL_ERROR_FORMAT_NOT_SUPPORTED, "the call has no format");
        return;
    }
    memcpy(&format, call->text, sizeof format);
    deallocate(process, lane);
    if (!bl_service_segment_map(&lane->segment, &format.shape, call->descriptors[0],
                                BL_SERVICE_READ_WRITE)) {
        fail(reply, BL_ERROR_OUT_OF_MEMORY, strerror(errno));
        return;
    }
    lane->events = calloc(BL_SERVICE_EVENT_CAPACITY, sizeof *lane->events);
    const bl_service_shape *shape = &lane->segment.shape;
    bl_render_configuration configuration = {
        format.sample_rate,      shape->maximum_frames,       shape->input_bus_count,
        shape->output_bus_count, shape->input_channel_counts, shape->output_channel_counts};
    reply->status = lane->events == NULL
                        ? BL_ERROR_OUT_OF_MEMORY
                        : lane->descriptor->allocate_render_resources(lane->unit, &configuration);
    if (reply->status != BL_OK) {
        free(lane->events);
        lane->events = NULL;
        bl_service_segment_unmap(&lane->segment);
        return;
    }
    lane->input_bus_count = shape->input_bus_count > 0 ? shape->input_bus_count : 1;
    lane->value_count = shape->value_count;
    for (uint32_t place = 0; place < lane->value_count; place += 1) {
        bl_lane_report_value(lane, place);
    }
    if (lane->descriptor->latency) {
        reply->latency = lane->descriptor->latency(lane->unit);
    }
    if (lane->descriptor->tail_time) {
        reply->tail_time = lane->descriptor->tail_time(lane->unit);
    }
    pthread_mutex_lock(&process->serving);
    lane->is_allocated = true;
    pthread_mutex_unlock(&process->serving);
}

/* Replaces the segment from which the lane's first input is read; an empty one means none. */
static void set_neighbour(bl_unit_process *process, bl_lane *lane, bl_service_segment segment) {
    pthread_mutex_lock(&process->serving);
    bl_service_segment former = lane->neighbour;
    lane->neighbour = segment;
    pthread_mutex_unlock(&process->serving);
    /* The render thread may be waiting on a word of the former segment. */
    bl_service_ring(process->bell);
    bl_service_segment_unmap(&former);
}

static void connect_neighbour(bl_unit_process *process, bl_lane *lane, const call *call,
                              bl_service_reply *reply) {
    bl_service_shape shape;
    if (call->header.length != sizeof shape || call->descriptor_count != 1) {
        fail(reply, BL_ERROR_FORMAT_NOT_SUPPORTED, "the call has no segment");
        return;
    }
    if (bl_futex_wait_on_any(NULL, 0) != 0 && errno == ENOSYS) {
        fail(reply, BL_ERROR_UNAVAILABLE, "the kernel has no futex_waitv (Linux 5.16)");
        return;
    }
    memcpy(&shape, call->text, sizeof shape);
    bl_service_segment segment;
    if (!bl_service_segment_map(&segment, &shape, call->descriptors[0], BL_SERVICE_READ)) {
        fail(reply, BL_ERROR_OUT_OF_MEMORY, strerror(errno));
        return;
    }
    set_neighbour(process, lane, segment);
}

static void unload(bl_unit_process *process, bl_lane *lane) {
    deallocate(process, lane);
    set_neighbour(process, lane, (bl_service_segment){0});
    lane->descriptor->destroy(lane->unit);
    free(lane->data.bytes);
    *lane = (bl_lane){0};
}

static void wait_until_ready(const bl_lane *lane, uint32_t frames) {
    if (lane->is_allocated && lane->descriptor->wait_until_ready) {
        /* The host calls between cycles: what the last cycle has written is seen from its answer
         * on. */
        atomic_load(&lane->segment.words->answered);
        lane->descriptor->wait_until_ready(lane->unit, frames);
    }
}

static void answer(bl_unit_process *process, const call *call, bl_service_reply *reply) {
    const bl_service_call *header = &call->header;
    if (header->verb == BL_SERVICE_CONFINE) {
        reply->mechanisms =
            confine(call->text, header->length, reply->message, sizeof reply->message);
        return;
    }
    bl_lane *lane = header->lane < BL_SERVICE_MAXIMUM_LANES ? &process->lanes[header->lane] : NULL;
    if (lane == NULL || (lane->descriptor == NULL) != (header->verb == BL_SERVICE_LOAD)) {
        fail(reply, BL_ERROR_NO_SUCH_ELEMENT, "the lane has no unit, or another one");
        return;
    }
    switch ((bl_service_verb)header->verb) {
    case BL_SERVICE_LOAD:
        if (!start_rendering(process)) {
            fail(reply, BL_ERROR_OUT_OF_MEMORY, "the render thread cannot be started");
            break;
        }
        load(lane, call, reply);
        break;
    case BL_SERVICE_SET_PROPERTY: set_property(lane, call, reply); break;
    case BL_SERVICE_SAVE_DATA: save_data(lane, call, reply); break;
    case BL_SERVICE_NOTE_NAME: name_note(lane, header->index, reply); break;
    case BL_SERVICE_VALUE_TEXT: write_value(lane, call, reply); break;
    case BL_SERVICE_TEXT_VALUE: read_text(lane, call, reply); break;
    case BL_SERVICE_MESSAGE: receive_message(lane, call, reply); break;
    case BL_SERVICE_SET_PARAMETERS: set_parameters(lane, call); break;
    case BL_SERVICE_ALLOCATE: allocate(process, lane, call, reply); break;
    case BL_SERVICE_DEALLOCATE: deallocate(process, lane); break;
    case BL_SERVICE_WAIT_UNTIL_READY: wait_until_ready(lane, header->index); break;
    case BL_SERVICE_CONNECT: connect_neighbour(process, lane, call, reply); break;
    case BL_SERVICE_UNLOAD: unload(process, lane); break;
    default: fail(reply, BL_ERROR_NO_SUCH_ELEMENT, "there is no such call");
    }
}

/* Receives the next call; false if the host has closed the socket. */
static bool receive(int socket, call *call) {
    union {
        char room[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct iovec parts[2] = {{&call->header, sizeof call->header},
                             {call->text, BL_SERVICE_TEXT_CAPACITY}};
    struct msghdr message = {.msg_iov = parts,
                             .msg_iovlen = 2,
                             .msg_control = control.room,
                             .msg_controllen = sizeof control.room};
    ssize_t size;
    do {
        size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (size < 0 && errno == EINTR);
    call->descriptor_count = 0;
    if (size < (ssize_t)sizeof call->header) {
        return false;
    }
    size_t length = (size_t)size - sizeof call->header;
    if (call->header.length > length) {
        call->header.length = (uint32_t)length;
    }
    call->text[call->header.length] = 0;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(&message); part != NULL;
         part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS) {
            size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            memcpy(call->descriptors, CMSG_DATA(part), count * sizeof(int));
            call->descriptor_count = (uint32_t)count;
        }
    }
    return true;
}

void bl_answer_calls(bl_unit_process *process, int socket) {
    static call call;
    while (receive(socket, &call)) {
        bl_service_reply reply = {.status = BL_OK};
        answer(process, &call, &reply);
        reply.thread = atomic_load(&process->thread);
        /* A library's descriptor stays open: the loader identifies libraries by its path. */
        bool keeps = call.header.verb == BL_SERVICE_LOAD && reply.status == BL_OK;
        for (uint32_t index = 0; index < call.descriptor_count && !keeps; index += 1) {
            close(call.descriptors[index]);
        }
        if (send(socket, &reply, sizeof reply, MSG_NOSIGNAL) != sizeof reply) {
            return;
        }
    }
}
