/* Parses numbers with a decimal point in every locale: a host may have set one with a comma, which
   strtod would expect. */
#pragma once

/* Reads the decimal number at the start of a text, after blanks: a sign, digits with a decimal
   point, an exponent. Returns its end, or NULL if there is none. One that is too large becomes
   infinite. The relative error is 2e-15 at most; none with up to 15 digits and 22 decimal places;
   below 1e-290 the result may be 0. [control] */
const char *bl_number_read(const char *text, double *value);
