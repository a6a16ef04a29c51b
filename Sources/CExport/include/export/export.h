/* The library of an LV2 bundle that `backline export-lv2` makes: racks and units as plug-ins.
 *
 * It reads its plug-ins from the file BL_EXPORT_FILE beside it, and exports lv2_descriptor.
 */
#ifndef BACKLINE_EXPORT_H
#define BACKLINE_EXPORT_H

#include <lv2/core/lv2.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>

/* The name of the file beside the library. */
#define BL_EXPORT_FILE "plug-ins.txt"

#endif
