/* A library that starts a process while it is loaded. */
#include <unistd.h>

__attribute__((constructor)) static void start(void) { fork(); }
