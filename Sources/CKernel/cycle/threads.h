/* Several threads that render a cycle. */
#ifndef BACKLINE_KERNEL_THREADS_H
#define BACKLINE_KERNEL_THREADS_H

#include "cycle/kernel_state.h"

/* Renders all turns of the present stretch, alone or with the helpers; turns whose time is still to
   be kept are left to the first worker's next lap. [render] */
void bl_kernel_render_turns(bl_kernel *kernel) BL_NONBLOCKING;

#endif
