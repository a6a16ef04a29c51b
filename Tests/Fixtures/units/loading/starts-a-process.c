/* A library that reaches for the network as it is loaded. */
#include <sys/socket.h>

__attribute__((constructor)) static void reach(void) { socket(AF_INET, SOCK_STREAM, 0); }
