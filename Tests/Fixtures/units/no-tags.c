/* expect: tags: there are no tags */
#include "plain_unit.h"

UNIT(.tags = NULL)
