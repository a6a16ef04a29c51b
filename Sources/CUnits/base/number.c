#include "base/number.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Limit for the digits of an exponent. */
enum { LARGEST_EXPONENT = 100000 };

static bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/* Reads "e", a sign and digits; reads nothing if there are no digits. */
static const char *read_exponent(const char *text, int *exponent) {
    if (*text != 'e' && *text != 'E') {
        return text;
    }
    const char *at = text + 1 + (text[1] == '-' || text[1] == '+');
    if (!is_digit(*at)) {
        return text;
    }
    int number = 0;
    for (; is_digit(*at); at += 1) {
        number = number < LARGEST_EXPONENT ? 10 * number + (*at - '0') : number;
    }
    *exponent += text[1] == '-' ? -number : number;
    return at;
}

const char *bl_number_read(const char *text, double *value) {
    while (*text == ' ' || *text == '\t') {
        text += 1;
    }
    bool negative = *text == '-';
    text += negative || *text == '+';
    double digits = 0;
    int exponent = 0;
    bool found = false, fraction = false;
    for (; is_digit(*text) || (*text == '.' && !fraction); text += 1) {
        if (*text == '.') {
            fraction = true;
        } else if (digits < 1e15) {
            digits = 10 * digits + (*text - '0');
            exponent -= fraction;
            found = true;
        } else {
            exponent += !fraction;
        }
    }
    if (!found) {
        return NULL;
    }
    text = read_exponent(text, &exponent);
    double size = digits == 0    ? 0
                  : exponent < 0 ? digits / pow(10, -exponent)
                                 : digits * pow(10, exponent);
    *value = negative ? -size : size;
    return text;
}
