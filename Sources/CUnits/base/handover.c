#include "base/handover.h"

static void destroy_list(bl_handed *handed, bl_handed_destroy *destroy) {
    while (handed != NULL) {
        bl_handed *next = handed->next;
        destroy(handed);
        handed = next;
    }
}

void bl_handover_post(bl_handover *handover, bl_handed *handed, bl_handed_destroy *destroy) {
    handed->next = NULL;
    destroy_list(atomic_exchange(&handover->pending, handed), destroy);
}

void bl_handover_collect(bl_handover *handover, bl_handed_destroy *destroy) {
    destroy_list(atomic_exchange(&handover->retired, NULL), destroy);
}

void bl_handover_empty(bl_handover *handover, bl_handed_destroy *destroy) {
    destroy_list(atomic_exchange(&handover->pending, NULL), destroy);
    bl_handover_collect(handover, destroy);
}
