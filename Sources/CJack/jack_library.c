#include "jack_library.h"
