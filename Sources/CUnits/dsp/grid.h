/* A grid of frames counted from the reset: where coefficients are computed anew while parameters
   move, so that they are the same however time is cut. */
#ifndef BACKLINE_DSP_GRID_H
#define BACKLINE_DSP_GRID_H

#include "chunk.h"

/* The most frames at a time. */
#define BL_GRID_STRETCH 64

/* All zero is the first frame after a reset. */
typedef struct bl_grid {
    uint32_t passed; /* frames since the last line of the grid */
    bool stale;      /* coefficients move, or are to be computed at the next line */
} bl_grid;

/* Whether a line of the grid is here. [render] */
BL_INLINE bool bl_grid_is_line(const bl_grid *grid) BL_NONBLOCKING { return grid->passed == 0; }

/* At most `frames` frames, and none past a line of the grid that matters. [render] */
BL_INLINE uint32_t bl_grid_frames(const bl_grid *grid, uint32_t length,
                                  uint32_t frames) BL_NONBLOCKING {
    return bl_fewer(frames, grid->stale ? length - grid->passed : BL_GRID_STRETCH);
}

/* Lets `frames` frames pass. [render] */
BL_INLINE void bl_grid_advance(bl_grid *grid, uint32_t length, uint32_t frames) BL_NONBLOCKING {
    grid->passed = (grid->passed + frames) % length;
}

#endif
