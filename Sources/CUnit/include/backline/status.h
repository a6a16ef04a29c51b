/* Results of calls of the unit ABI. */
#ifndef BACKLINE_STATUS_H
#define BACKLINE_STATUS_H

#include <stdint.h>

typedef int32_t bl_status;

enum {
    BL_OK = 0,
    BL_ERROR_OUT_OF_MEMORY = -1,
    /* The unit does not support these channel counts or this sample rate. */
    BL_ERROR_FORMAT_NOT_SUPPORTED = -2,
    /* More frames were asked for than maximum_frames. */
    BL_ERROR_TOO_MANY_FRAMES = -3,
    /* render was called before allocate_render_resources. */
    BL_ERROR_NOT_ALLOCATED = -4,
    /* No such bus, parameter or property. */
    BL_ERROR_NO_SUCH_ELEMENT = -5,
    /* pull_input was called for a bus that nothing feeds; the buffers hold silence. */
    BL_ERROR_NO_CONNECTION = -6,
    /* A property's value is not usable; the message says why. */
    BL_ERROR_INVALID_PROPERTY_VALUE = -7,
    /* render: a resource of the unit has failed for good; the host reports it once. */
    BL_ERROR_CANNOT_RENDER = -8,
    /* render: the process that renders the unit did not respond in time or has ended; the host
       plays the input instead, and tries again in the next cycle. */
    BL_ERROR_UNAVAILABLE = -9
};

#endif
