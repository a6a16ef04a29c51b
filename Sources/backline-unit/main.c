/* backline-unit: renders units for a host, in a process of their own (docs/internals/processes.md).
   Hosts start it; it is of no use to people. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bridge/bridge.h"
#include "foreign_units/crash_report.h"
#include "lane.h"

static bl_unit_process process;

static bool is_socket(int descriptor) {
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

int main(void) {
    if (!is_socket(BL_SERVICE_SOCKET)) {
        fputs("backline-unit: hosts start this program to render units; there is nothing in it for"
              " you\n",
              stderr);
        return 64;
    }
    /* End with the host, even while stopped. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* Ignore a terminal's Ctrl-C, which the host handles. */
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    fcntl(BL_SERVICE_SOCKET, F_SETFD, FD_CLOEXEC);
    fcntl(BL_SERVICE_BELL, F_SETFD, FD_CLOEXEC);
    bl_install_crash_report(BL_CRASH_REPORT_FOR_HOST, NULL);
    bl_set_activity((bl_activity){"waiting", ""});
    bl_bridge_hide_display();
    process.bell =
        bl_service_memory_map(sizeof *process.bell, BL_SERVICE_BELL, BL_SERVICE_READ_WRITE);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    if (process.bell == NULL || pthread_mutex_init(&process.serving, &attributes) != 0) {
        perror("backline-unit");
        return 1;
    }
    bl_answer_calls(&process, BL_SERVICE_SOCKET);
    /* exit is unsafe while threads of units run. */
    _exit(0);
}
