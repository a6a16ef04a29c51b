/* expect: opening: refused: socket: units may not use the network */
#include <sys/socket.h>

#define CREATE(self) socket(AF_INET, SOCK_STREAM, 0)
#include "plain_unit.h"

UNIT()
