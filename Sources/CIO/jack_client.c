#include "jack_client.h"
