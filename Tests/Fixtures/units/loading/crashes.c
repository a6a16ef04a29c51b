/* A library that crashes as it is loaded. */
#include <stdlib.h>

__attribute__((constructor)) static void crash(void) { abort(); }
