/* A unit that looks at what is not its own as it is loaded, and as it is made. */
#include <fcntl.h>

static void look(const char *path) { (void)open(path, O_RDONLY); }
__attribute__((constructor)) static void begin(void) { look("/etc/passwd"); }

#define CREATE(self) look("/etc/group")
#include "../plain_unit.h"

UNIT()
