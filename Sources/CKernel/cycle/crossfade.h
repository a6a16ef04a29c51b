/* The kernel's only fade: from one sound to another, either of which may be silence. It serves
   bypass, the fallback of remote units, recovery, cables that are added or removed, and delays that
   change. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backline/attributes.h"

/* The position of a fade of `length` frames, `frames` frames later; it moves towards `length` if it
   `rises`, else towards 0. [render] */
static inline uint32_t bl_fade_move(uint32_t position, uint32_t length, bool rises,
                                    uint32_t frames) BL_NONBLOCKING {
    if (rises) {
        return length - position > frames ? position + frames : length;
    }
    return position > frames ? position - frames : 0;
}

/* Writes `from` at position 0, `to` at `length`, and between them a mix on a curve that is level at
   both ends (3u² - 2u³), whose sidebands of a sine lie close to the sine. Exact at both ends, so
   that the result does not depend on the block size. NULL is silence; `output` may be `from` or
   `to`. Returns the position after the last frame. [render] */
uint32_t bl_crossfade(float *output, const float *from, const float *to, uint32_t position,
                      uint32_t length, bool rises, uint32_t frames) BL_NONBLOCKING;
