#define _GNU_SOURCE
#include "unit_service/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit_service/control.h"

extern char **environ;

/* Whether a unit's process gets the environment variable. */
static bool is_passed_on(const char *variable) {
    static const char *const names[] = {"LANG=",        "LC_",   "TZ=",           "LV2_PATH=",
                                        "LADSPA_PATH=", "HOME=", "ASAN_OPTIONS=", "TSAN_OPTIONS="};
    for (size_t index = 0; index < sizeof names / sizeof *names; index += 1) {
        if (strncmp(variable, names[index], strlen(names[index])) == 0) {
            return true;
        }
    }
    return false;
}

static char **make_environment(void) {
    size_t count = 0, kept = 0;
    while (environ[count] != NULL) {
        count += 1;
    }
    char **environment = calloc(count + 1, sizeof *environment);
    for (size_t index = 0; environment != NULL && index < count; index += 1) {
        if (is_passed_on(environ[index])) {
            environment[kept++] = environ[index];
        }
    }
    return environment;
}

/* Copies a descriptor above the numbers that the program expects. */
static int lift(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, BL_SERVICE_BELL + 1); }

static int spawn(const char *program, const int lifted[3], pid_t *process) {
    char *arguments[] = {"backline-unit", NULL};
    char **environment = make_environment();
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (environment == NULL) {
        return ENOMEM;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, lifted[2], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, lifted[2], STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, lifted[0], BL_SERVICE_SOCKET);
    posix_spawn_file_actions_adddup2(&actions, lifted[1], BL_SERVICE_BELL);
    posix_spawn_file_actions_addclosefrom_np(&actions, BL_SERVICE_BELL + 1);
    int problem = posix_spawn(process, program, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(environment);
    return problem;
}

pid_t bl_service_spawn(const char *program, int socket, int bell, int errors, int *ends) {
    int lifted[3] = {lift(socket), lift(bell), lift(errors)};
    pid_t process = -1;
    int problem =
        lifted[0] < 0 || lifted[1] < 0 || lifted[2] < 0 ? errno : spawn(program, lifted, &process);
    for (size_t index = 0; index < 3; index += 1) {
        if (lifted[index] >= 0) {
            close(lifted[index]);
        }
    }
    if (problem == 0) {
        *ends = (int)syscall(SYS_pidfd_open, process, 0);
        if (*ends >= 0) {
            return process;
        }
        problem = errno;
        kill(process, SIGKILL);
        waitpid(process, NULL, 0);
    }
    errno = problem;
    return -1;
}

int bl_service_socket_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends);
}

int bl_service_kill(int ends) {
    return (int)syscall(SYS_pidfd_send_signal, ends, SIGKILL, NULL, 0);
}

int bl_service_reap(int ends) {
    siginfo_t facts = {0};
    while (waitid(P_PIDFD, (id_t)ends, &facts, WEXITED) < 0) {
        if (errno != EINTR) {
            return 0;
        }
    }
    return facts.si_code == CLD_EXITED ? facts.si_status : -facts.si_status;
}
