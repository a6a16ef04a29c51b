#include <lo/lo_lowlevel.h>
#include <lo/lo_macros.h>
