#define _GNU_SOURCE
#include "settle.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Does a thread take the signal, as far as its entry in /proc tells? */
static bool takes(int tasks, const char *thread, int signal) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "%.32s/status", thread);
    int file = openat(tasks, path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) {
        close(file);
    }
    if (length < 0) {
        return true; /* it has ended */
    }
    text[length] = 0;
    const char *blocked = strstr(text, "\nSigBlk:");
    uint64_t bits = blocked != NULL ? strtoull(blocked + strlen("\nSigBlk:"), NULL, 16) : 0;
    return (bits >> (signal - 1) & 1) == 0;
}

static bool all_take(int signal) {
    DIR *tasks = opendir("/proc/self/task");
    bool all = true;
    for (struct dirent *entry = tasks != NULL ? readdir(tasks) : NULL; entry != NULL;
         entry = readdir(tasks)) {
        all = all && (entry->d_name[0] == '.' || takes(dirfd(tasks), entry->d_name, signal));
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return all;
}

void bl_settle_threads(int signal) {
    static const int most_looks = 100;
    static const struct timespec pause = {.tv_nsec = 1000000};
    for (int look = 0; look < most_looks && !all_take(signal); look += 1) {
        nanosleep(&pause, NULL);
    }
}
