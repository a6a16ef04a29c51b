/* expect: opening: create answers NULL */
#include "plain_unit.h"

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    (void)descriptor;
    return NULL;
}

UNIT(.create = create)
