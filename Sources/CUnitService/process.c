#define _GNU_SOURCE
#include "unit_service/process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "link_private.h"

bl_service_process *bl_service_process_create(int socket) {
    bl_service_process *process = calloc(1, sizeof *process);
    if (process == NULL) {
        return NULL;
    }
    process->bell = bl_service_memory_create(sizeof *process->bell, &process->bell_descriptor);
    if (process->bell == NULL || pthread_mutex_init(&process->asking, NULL) != 0) {
        free(process);
        return NULL;
    }
    process->socket = socket;
    atomic_init(&process->holders, 1);
    return process;
}

void bl_service_process_retain(bl_service_process *process) {
    atomic_fetch_add(&process->holders, 1);
}

void bl_service_process_release(bl_service_process *process) {
    if (process == NULL || atomic_fetch_sub(&process->holders, 1) > 1) {
        return;
    }
    close(process->socket);
    close(process->bell_descriptor);
    munmap(process->bell, sizeof *process->bell);
    pthread_mutex_destroy(&process->asking);
    free(process);
}

int bl_service_process_bell(const bl_service_process *process) { return process->bell_descriptor; }

/* Shuts down the socket, so that a thread waiting on it returns. */
void bl_service_process_set_dead(bl_service_process *process) {
    atomic_store(&process->is_dead, true);
    shutdown(process->socket, SHUT_RDWR);
}

bool bl_service_process_is_dead(const bl_service_process *process) {
    return atomic_load(&process->is_dead);
}

uint32_t bl_service_process_thread(const bl_service_process *process) {
    return atomic_load(&process->thread);
}

void bl_service_process_set_spin(bl_service_process *process, uint32_t nanoseconds) {
    atomic_store_explicit(&process->bell->spin, nanoseconds, memory_order_relaxed);
}

static bool send_call(bl_service_process *process, const bl_service_call *call, const void *text,
                      const int *descriptors, uint32_t count) {
    union {
        char room[CMSG_SPACE(2 * sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct iovec parts[2] = {{(void *)(uintptr_t)call, sizeof *call},
                             {(void *)(uintptr_t)text, call->length}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    if (count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.room;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *part = CMSG_FIRSTHDR(&message);
        part->cmsg_level = SOL_SOCKET;
        part->cmsg_type = SCM_RIGHTS;
        part->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(part), descriptors, count * sizeof(int));
    }
    ssize_t sent;
    do {
        sent = sendmsg(process->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    return sent >= 0;
}

/* Receives the reply; false without a valid one. */
static bool receive_reply(bl_service_process *process, int64_t deadline, bl_service_reply *reply) {
    for (;;) {
        /* Round up, so that poll does not time out before the deadline. */
        int64_t left = (deadline - bl_service_now() + 999999) / 1000000;
        struct pollfd ready = {.fd = process->socket, .events = POLLIN};
        int count = poll(&ready, 1, left > 0 ? (int)left : 0);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        ssize_t size = recv(process->socket, reply, sizeof *reply, MSG_DONTWAIT);
        reply->message[sizeof reply->message - 1] = 0;
        return size == sizeof *reply;
    }
}

bool bl_service_process_ask(bl_service_process *process, const bl_service_call *call,
                            const void *text, const int *descriptors, uint32_t descriptor_count,
                            uint32_t timeout, bl_service_reply *reply) {
    pthread_mutex_lock(&process->asking);
    int64_t deadline = bl_service_now() + (int64_t)timeout * 1000000;
    bool is_dead = bl_service_process_is_dead(process);
    bool is_answered = !is_dead && send_call(process, call, text, descriptors, descriptor_count) &&
                       receive_reply(process, deadline, reply);
    if (is_answered) {
        atomic_store(&process->thread, reply->thread);
    } else {
        bool is_late = !bl_service_process_is_dead(process) && bl_service_now() >= deadline;
        *reply = (bl_service_reply){.status = BL_ERROR_UNAVAILABLE};
        snprintf(reply->message, sizeof reply->message, "%s",
                 is_late ? "its process does not answer" : "its process has ended");
        bl_service_process_set_dead(process);
    }
    pthread_mutex_unlock(&process->asking);
    return is_answered;
}
