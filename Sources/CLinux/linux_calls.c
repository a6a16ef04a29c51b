#define _GNU_SOURCE
#include "linux_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
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

int bl_spawn(const char *const arguments[], const char *const environment[],
             const int standard[3]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    for (int place = STDIN_FILENO; place <= STDERR_FILENO; place += 1) {
        posix_spawn_file_actions_adddup2(&actions, standard[place], place);
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    /* Ctrl-C is for the music, which ends the others. */
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETPGROUP);
    pid_t process = -1;
    errno = posix_spawn(&process, arguments[0], &actions, &attributes, (char *const *)arguments,
                        environment != NULL ? (char *const *)environment : environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return errno == 0 ? process : -1;
}

const void *bl_memory_find(const void *memory, size_t size, const void *part, size_t part_size) {
    return memmem(memory, size, part, part_size);
}
