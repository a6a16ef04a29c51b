#include "base/kit.h"

#include "backline/kit_cycle.h"
