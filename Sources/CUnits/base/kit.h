/* The kit of the units in this folder: its functions are in kit.c, once for all of them. */
#pragma once

#define BL_KIT_SHARED
#include "backline/kit.h"
