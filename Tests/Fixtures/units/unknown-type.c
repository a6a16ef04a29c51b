/* expect: component: the type zzzz is none that hosts know */
#include "plain_unit.h"

UNIT(.component = {BL_FOUR_CHARACTER_CODE('z', 'z', 'z', 'z'),
                   BL_FOUR_CHARACTER_CODE('f', 'a', 'l', 't'),
                   BL_FOUR_CHARACTER_CODE('T', 'e', 's', 't')})
