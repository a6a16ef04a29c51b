/* A unit that opens files it may not read, when it is loaded and when it is created. */
#include <fcntl.h>

static void look(const char *path) { (void)open(path, O_RDONLY); }
__attribute__((constructor)) static void begin(void) { look("/etc/passwd"); }

#define CREATE(self) look("/etc/group")
#include "../plain_unit.h"

UNIT()
