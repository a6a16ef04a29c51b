#include "foreign_units/render_thread.h"

#include <errno.h>
#include <stdlib.h>

#include "foreign_units/crash_report.h"

typedef struct beginning {
    void *(*start)(void *);
    void *argument;
} beginning;

static void *begin(void *context) {
    beginning own = *(beginning *)context;
    free(context);
    bl_use_signal_stack();
    return own.start(own.argument);
}

/* Creates the thread with a stack of the right size. */
static int with_stack(pthread_attr_t *attributes, pthread_t *thread, beginning *own) {
    size_t size = 0;
    pthread_attr_getstacksize(attributes, &size);
    if (size < BL_RENDER_STACK) {
        pthread_attr_setstacksize(attributes, BL_RENDER_STACK);
    }
    pthread_attr_setguardsize(attributes, BL_RENDER_STACK_GUARD);
    return pthread_create(thread, attributes, begin, own);
}

int bl_create_render_thread(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*start)(void *), void *argument) {
    beginning *own = malloc(sizeof *own);
    if (own == NULL) {
        return ENOMEM;
    }
    *own = (beginning){start, argument};
    int error;
    if (attributes != NULL) {
        /* libjack passes a variable of its own, made for this call. */
        error = with_stack((pthread_attr_t *)attributes, thread, own);
    } else {
        pthread_attr_t usual;
        pthread_attr_init(&usual);
        error = with_stack(&usual, thread, own);
        pthread_attr_destroy(&usual);
    }
    if (error != 0) {
        free(own);
    }
    return error;
}
