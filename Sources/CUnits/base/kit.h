/* The kit of the units in this folder: its functions are in kit.c, once for all of them. */
#ifndef BACKLINE_BASE_KIT_H
#define BACKLINE_BASE_KIT_H

#define BL_KIT_SHARED
#include "backline/kit.h"

#endif
