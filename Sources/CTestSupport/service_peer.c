#define _GNU_SOURCE
#include "service_peer.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit_service/spawn.h"

enum { FRAMES = 64 };

struct bl_test_peer {
    bl_unit_descriptor descriptor;
    bl_service_process *process;
    int socket, memory;
    pthread_t thread;
    bl_service_segment segment;
    bl_unit *unit;
    float input;
};

static void answer(bl_test_peer *peer, const bl_service_call *call, const void *text,
                   int descriptor) {
    if (call->verb == BL_SERVICE_ALLOCATE) {
        bl_service_format format;
        memcpy(&format, text, sizeof format);
        bl_service_segment_map(&peer->segment, &format.shape, descriptor, BL_SERVICE_READ_WRITE);
        peer->memory = dup(descriptor);
    }
    bl_service_reply reply = {.status = BL_OK, .parameter_count = peer->descriptor.parameter_count};
    (void)!send(peer->socket, &reply, sizeof reply, MSG_NOSIGNAL);
}

static void *answer_calls(void *context) {
    bl_test_peer *peer = context;
    for (;;) {
        bl_service_call call;
        static _Thread_local char text[BL_SERVICE_TEXT_CAPACITY];
        union {
            char room[CMSG_SPACE(2 * sizeof(int))];
            struct cmsghdr alignment;
        } control;
        struct iovec parts[2] = {{&call, sizeof call}, {text, sizeof text}};
        struct msghdr message = {.msg_iov = parts,
                                 .msg_iovlen = 2,
                                 .msg_control = control.room,
                                 .msg_controllen = sizeof control.room};
        if (recvmsg(peer->socket, &message, MSG_CMSG_CLOEXEC) < (ssize_t)sizeof call) {
            return NULL;
        }
        struct cmsghdr *part = CMSG_FIRSTHDR(&message);
        int descriptor = -1;
        if (part != NULL) {
            memcpy(&descriptor, CMSG_DATA(part), sizeof descriptor);
        }
        answer(peer, &call, text, descriptor);
        if (descriptor >= 0) {
            close(descriptor);
        }
    }
}

bl_test_peer *bl_test_peer_create(const bl_unit_descriptor *descriptor, bl_test_peer *preceding) {
    bl_test_peer *peer = calloc(1, sizeof *peer);
    int ends[2];
    char message[256];
    uint32_t one = 1;
    bl_render_configuration configuration = {48000, FRAMES, 1, 1, &one, &one};
    peer->descriptor = *descriptor;
    bl_service_describe(&peer->descriptor);
    bl_service_socket_pair(ends);
    peer->socket = ends[1];
    peer->process = bl_service_process_create(ends[0]);
    pthread_create(&peer->thread, NULL, answer_calls, peer);
    peer->unit = peer->descriptor.create(&peer->descriptor);
    bl_service_link *link = (bl_service_link *)peer->unit;
    bl_service_link_set_timeout(link, 0, 0);
    bool is_made =
        bl_service_link_attach(link, peer->process, 0,
                               &(bl_service_source){.name = "unit", .library = -1}, message,
                               sizeof message) == BL_OK &&
        peer->descriptor.allocate_render_resources(peer->unit, &configuration) == BL_OK &&
        (preceding == NULL || bl_service_link_connect((bl_service_link *)preceding->unit, link,
                                                      message, sizeof message) == BL_OK);
    if (!is_made) {
        bl_test_peer_destroy(peer);
        return NULL;
    }
    return peer;
}

void bl_test_peer_destroy(bl_test_peer *peer) {
    bl_service_process_set_dead(peer->process);
    peer->descriptor.destroy(peer->unit);
    bl_service_process_release(peer->process);
    pthread_join(peer->thread, NULL);
    bl_service_segment_unmap(&peer->segment);
    close(peer->memory);
    close(peer->socket);
    free(peer);
}

static bl_status pull_input(void *context, uint32_t flags, const bl_timestamp *timestamp,
                            uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING {
    (void)flags, (void)timestamp, (void)bus;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        input->channels[0][frame] = ((const bl_test_peer *)context)->input;
    }
    return BL_OK;
}

void bl_test_peer_begin(bl_test_peer *peer, int64_t time, float input, bl_test_peer *preceding) {
    bl_timestamp timestamp = {.sample_time = time};
    bl_render_host host = {.size = sizeof host, .context = peer, .pull_input = pull_input};
    peer->input = input;
    bl_service_link_dispatch(peer->unit, 0, &timestamp, FRAMES, 1, NULL, &host,
                             preceding == NULL ? NULL : preceding->unit);
}

bl_status bl_test_peer_render(bl_test_peer *peer, int64_t time, float input, float *output) {
    bl_timestamp timestamp = {.sample_time = time};
    bl_render_host host = {.size = sizeof host, .context = peer, .pull_input = pull_input};
    float samples[FRAMES];
    float *channels[1] = {samples};
    bl_buffers buffers = {1, channels};
    peer->input = input;
    bl_status status =
        peer->descriptor.render(peer->unit, 0, &timestamp, FRAMES, 0, &buffers, NULL, &host);
    *output = samples[0];
    return status;
}

uint32_t bl_test_peer_posted(const bl_test_peer *peer) {
    return atomic_load(&peer->segment.words->posted);
}

uint32_t bl_test_peer_source(const bl_test_peer *peer) {
    return atomic_load(&peer->segment.words->source);
}

bool bl_test_peer_claim(bl_test_peer *peer, uint32_t sequence) {
    return atomic_compare_exchange_strong(&peer->segment.words->posted, &sequence,
                                          sequence | BL_SERVICE_CLAIMED);
}

void bl_test_peer_answer(bl_test_peer *peer, uint32_t sequence, float output) {
    for (uint32_t frame = 0; frame < FRAMES; frame += 1) {
        peer->segment.outputs[frame] = output;
    }
    *peer->segment.answer = (bl_service_answer){.status = BL_OK};
    atomic_store(&peer->segment.words->answered, sequence);
}

int64_t bl_test_peer_time(const bl_test_peer *peer) { return peer->segment.request->sample_time; }

float bl_test_peer_input(const bl_test_peer *peer) { return peer->segment.inputs[0]; }

bool bl_test_peer_is_open_to_writers(const bl_test_peer *peer) {
    void *writable = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, peer->memory, 0);
    void *readable = mmap(NULL, 4096, PROT_READ, MAP_SHARED, peer->memory, 0);
    return writable != MAP_FAILED || readable == MAP_FAILED ||
           mprotect(readable, 4096, PROT_READ | PROT_WRITE) == 0 ||
           madvise(peer->segment.memory, 4096, MADV_REMOVE) == 0 ||
           fallocate(peer->memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) == 0 ||
           ftruncate(peer->memory, 1) == 0;
}
