#define _GNU_SOURCE
#include "linux_calls.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int bl_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int bl_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int bl_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int bl_datagram_socket(int family) {
    return socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

const void *bl_memory_find(const void *memory, size_t size, const void *part, size_t part_size) {
    return memmem(memory, size, part, part_size);
}
