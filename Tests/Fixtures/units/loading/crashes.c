/* A library that crashes while it is loaded. */
#include <stdlib.h>

__attribute__((constructor)) static void crash(void) { abort(); }
