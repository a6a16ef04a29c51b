/* The kit of the units in this folder: its functions are in kit.c, shared by all of them. */
#pragma once

#define BL_KIT_SHARED
#include "backline/kit.h"

/* The tail time of a sound that does not end by itself. [any] */
double bl_endless_tail_time(const bl_unit *unit) BL_NONBLOCKING;
