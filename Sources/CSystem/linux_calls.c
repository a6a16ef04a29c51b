#define _GNU_SOURCE
#include "linux_calls.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int bl_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int bl_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
