/* expect: many-instances: create answers NULL at instance */
#include "plain_unit.h"

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    static int made;
    made += 1;
    return made < 900 ? plain_create(descriptor) : NULL;
}

UNIT(.create = create)
