/* Numbers in texts, which have a decimal point in every locale: a host may have set one with a
   comma, and strtod reads by it. */
#pragma once

/* The decimal number that a text begins with, after blanks: a sign, digits with a point among
   them, an exponent. Where it ends; NULL where there is none. One that is too large is infinite.
   To 2e-15 of it, relatively; exact with up to 15 digits and 22 places after the point; below
   1e-290 it may be 0. [control]
 */
const char *bl_number_read(const char *text, double *value);
