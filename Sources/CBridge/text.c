#include "text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <strings.h>

const char *bl_text_copy(bl_arena *arena, const char *text) {
    const char *copy = text != NULL ? bl_arena_copy(arena, text, strlen(text) + 1, 1) : NULL;
    return copy != NULL ? copy : "";
}

const char *bl_text_print(bl_arena *arena, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return bl_text_copy(arena, text);
}

const char *bl_text_line(bl_arena *arena, const char *text, const char *otherwise) {
    char *copy = text != NULL ? bl_arena_copy(arena, text, strlen(text) + 1, 1) : NULL;
    bool is_visible = false;
    for (char *place = copy; place != NULL && *place != 0; place += 1) {
        *place = (unsigned char)*place < ' ' ? ' ' : *place;
        is_visible = is_visible || *place != ' ';
    }
    return is_visible ? copy : otherwise;
}

const char *bl_text_identifier(bl_arena *arena, const char *text, bool lower_case) {
    char *copy = bl_arena_allocate(arena, strlen(text) + 2, 1);
    if (copy == NULL) {
        return "_";
    }
    size_t length = 0;
    for (const char *from = text; *from != 0; from += 1) {
        unsigned char letter = (unsigned char)*from;
        if (letter < 0x80 && isalnum(letter)) {
            copy[length++] = (char)(lower_case ? tolower(letter) : letter);
        } else if (letter == '_' && !lower_case) {
            copy[length++] = '_';
        } else if (length > 0 && copy[length - 1] != '_') {
            copy[length++] = '_';
        }
    }
    while (lower_case && length > 1 && copy[length - 1] == '_') {
        length -= 1;
    }
    copy[length] = 0;
    return length > 0 ? copy : "_";
}

const char *bl_text_unique(bl_arena *arena, const char *text, const char *separator,
                           bl_text_at text_at, const void *table, uint32_t count) {
    const char *candidate = text;
    for (uint32_t number = 2;; number += 1) {
        bool is_used = false;
        for (uint32_t index = 0; index < count && !is_used; index += 1) {
            is_used = strcasecmp(text_at(table, index), candidate) == 0;
        }
        if (!is_used) {
            return candidate;
        }
        candidate = bl_text_print(arena, "%s%s%u", text, separator, number);
    }
}

bl_four_character_code bl_text_code(const char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    uint64_t hash = 0xCBF29CE484222325;
    for (const char *byte = text; *byte != 0; byte += 1) {
        hash = (hash ^ (unsigned char)*byte) * 0x100000001B3;
    }
    uint32_t code = (uint32_t)digits[hash % 26];
    hash /= 26;
    for (int place = 0; place < 3; place += 1) {
        code = code << 8 | (uint32_t)digits[hash % 62];
        hash /= 62;
    }
    return code;
}
