/* A process that confines itself and makes a unit of somebody else's do something; for tests:
   confined-unit LIBRARY DEED READABLE WRITABLE [realtime]. The deed is the value of the unit's
   first property. Prints what is in force, what is refused, and how the deed went. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backline/unit.h"
#include "confinement/confinement.h"

int main(int count, char **arguments) {
    if (count < 5) {
        return 2;
    }
    setvbuf(stdout, NULL, _IONBF, 0);
    if (count > 5) {
        struct sched_param priority = {1};
        if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) {
            puts("no real time");
            return 3;
        }
    }
    const char *readable[] = {arguments[1], arguments[3], NULL};
    const char *writable[] = {arguments[4], NULL};
    bl_confinement confinement = {
        .readable_paths = readable,
        .writable_paths = writable,
        .memory_limit = (uint64_t)512 << 20,
        .descriptor_limit = 64,
        .file_size_limit = 1 << 20,
        .realtime_limit = 200000,
        .report_descriptor = STDOUT_FILENO,
    };
    char missing[256];
    uint32_t in_force = bl_confine(&confinement, missing, sizeof missing);
    printf("in force: %u, missing: %s\n", in_force, missing);

    typedef const bl_unit_library *(*entry)(void);
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    entry find = library == NULL ? NULL : (entry)dlsym(library, BL_UNIT_LIBRARY_SYMBOL);
    if (find == NULL) {
        printf("not loaded: %s\n", dlerror());
        return 4;
    }
    const bl_unit_descriptor *descriptor = find()->units[0];
    bl_unit *unit = descriptor->create(descriptor);
    char message[256] = "";
    bl_status status = descriptor->set_property(unit, 0, arguments[2], message, sizeof message);
    printf(status == BL_OK ? "done\n" : "failed: %s\n", message);
    return 0;
}
