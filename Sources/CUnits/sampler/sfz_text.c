#include "sampler/sfz_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/file_open.h"

enum {
    LONGEST_FILE = 16 << 20, /* bytes */
    LONGEST_TEXT = 64 << 20, /* of all files together; bytes */
    MOST_FILES = 1000,
    MOST_DEFINITIONS = 1000,
    LONGEST_VALUE = 1024 /* with what is put in for definitions, and its end; bytes */
};

bool bl_sfz_refuse(const bl_sfz_text *text, const char *format, ...) {
    int length = 0;
    if (text->place.line > 0) { /* else the first file itself cannot be read */
        length = snprintf(text->message, text->message_size, "%s:%u: ", text->place.file,
                          text->place.line);
    }
    if (length >= 0 && (size_t)length < text->message_size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text->message + length, text->message_size - (size_t)length, format, arguments);
        va_end(arguments);
    }
    return false;
}

static const char *copy(const bl_sfz_text *text, const char *from, size_t length) {
    char *memory = bl_arena_allocate(text->arena, length + 1, 1);
    if (memory == NULL) {
        bl_sfz_refuse(text, "no memory");
        return NULL;
    }
    memcpy(memory, from, length);
    return memory;
}

static bool is_name(char letter) {
    return isalnum((unsigned char)letter) || letter == '_' || letter == '$' || letter == '#';
}

static const char *skip_space(const char *from) { return from + strspn(from, " \t\r\f\v"); }

/* The definition with the longest name that `from` begins with. */
static const bl_sfz_definition *definition_at(const bl_sfz_text *text, const char *from,
                                              size_t length) {
    const bl_sfz_definition *best = NULL;
    for (const bl_sfz_definition *next = text->definitions; next != NULL; next = next->next) {
        size_t size = strlen(next->name);
        if (size <= length && memcmp(next->name, from, size) == 0 &&
            (best == NULL || size > strlen(best->name))) {
            best = next;
        }
    }
    return best;
}

/* Writes text with its definitions put in, and a 0, to LONGEST_VALUE bytes; false, and a message,
   where that fails. */
static bool expand(const bl_sfz_text *text, const char *from, size_t length, char *to) {
    size_t used = 0;
    for (size_t index = 0; index < length;) {
        const char *part = from + index;
        size_t size = 1, taken = 1;
        if (*part == '$') {
            const bl_sfz_definition *found = definition_at(text, part + 1, length - index - 1);
            if (found == NULL) {
                return bl_sfz_refuse(text, "%.*s is not defined", (int)(length - index), part);
            }
            part = found->value;
            size = strlen(part);
            taken = 1 + strlen(found->name);
        }
        if (used + size >= LONGEST_VALUE) {
            return bl_sfz_refuse(text, "a value longer than %d bytes", LONGEST_VALUE);
        }
        memcpy(to + used, part, size);
        used += size;
        index += taken;
    }
    to[used] = 0;
    return true;
}

/* The value of a definition is to be `value`. */
static bool set_definition(bl_sfz_text *text, const char *name, size_t length, const char *value) {
    uint32_t count = 0;
    for (bl_sfz_definition *other = text->definitions; other != NULL; other = other->next) {
        if (strlen(other->name) == length && memcmp(other->name, name, length) == 0) {
            strcpy(other->value, value);
            return true;
        }
        count += 1;
    }
    if (count == MOST_DEFINITIONS) {
        return bl_sfz_refuse(text, "more than %d definitions", MOST_DEFINITIONS);
    }
    bl_sfz_definition *added = bl_arena_allocate(text->arena, 1, sizeof *added);
    char *kept = bl_arena_allocate(text->arena, LONGEST_VALUE, 1);
    const char *own_name = copy(text, name, length);
    if (added == NULL || kept == NULL || own_name == NULL) {
        return bl_sfz_refuse(text, "no memory");
    }
    strcpy(kept, value);
    *added = (bl_sfz_definition){own_name, kept, text->definitions};
    text->definitions = added;
    return true;
}

/* #define $NAME value */
static const char *define(bl_sfz_text *text, const char *from) {
    from = skip_space(from);
    const char *name = from + (*from == '$');
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_') {
        length += 1;
    }
    if (name == from || length == 0) {
        bl_sfz_refuse(text, "#define needs a name that begins with $, and its value");
        return NULL;
    }
    from = skip_space(name + length);
    size_t size = strcspn(from, " \t\r");
    char value[LONGEST_VALUE];
    bool done = expand(text, from, size, value) && set_definition(text, name, length, value);
    return done ? from + size : NULL;
}

/* #include "file" */
static const char *include(bl_sfz_text *text, const char *from) {
    from = skip_space(from);
    const char *end = *from == '"' ? strchr(from + 1, '"') : NULL;
    if (end == NULL) {
        bl_sfz_refuse(text, "#include needs a file name in quotation marks");
        return NULL;
    }
    bl_sfz_place place = text->place;
    char file[LONGEST_VALUE];
    if (!expand(text, from + 1, (size_t)(end - from - 1), file) || !bl_sfz_text_read(text, file)) {
        return NULL;
    }
    text->place = place;
    return end + 1;
}

/* Where a value ends: at the end of the line, before another opcode or header. */
static size_t value_length(const char *from) {
    size_t length = 0;
    for (size_t index = 0; from[index] != 0; index += 1) {
        bool after_space = index == 0 || isspace((unsigned char)from[index - 1]);
        if (from[index] == '<' || (after_space && from[index] == '#' &&
                                   (strncmp(from + index, "#define", 7) == 0 ||
                                    strncmp(from + index, "#include", 8) == 0))) {
            break;
        }
        if (after_space && is_name(from[index])) {
            size_t name = index;
            while (is_name(from[name])) {
                name += 1;
            }
            if (from[name] == '=' && index > 0) {
                break;
            }
        }
        if (!isspace((unsigned char)from[index])) {
            length = index + 1;
        }
    }
    return length;
}

static const char *read_header(bl_sfz_text *text, const char *from) {
    const char *end = strchr(from, '>');
    if (end == NULL) {
        bl_sfz_refuse(text, "a header without its >");
        return NULL;
    }
    char name[LONGEST_VALUE];
    return expand(text, from + 1, (size_t)(end - from - 1), name) &&
                   text->header(text->context, name)
               ? end + 1
               : NULL;
}

static const char *read_opcode(bl_sfz_text *text, const char *from) {
    size_t length = 0;
    while (is_name(from[length])) {
        length += 1;
    }
    if (length == 0 || from[length] != '=') {
        bl_sfz_refuse(text, "“%.40s” is neither a <header> nor opcode=value", from);
        return NULL;
    }
    const char *value = from + length + 1;
    size_t size = value_length(value);
    char name[LONGEST_VALUE], expanded[LONGEST_VALUE];
    bool done = expand(text, from, length, name) && expand(text, value, size, expanded) &&
                text->opcode(text->context, name, expanded);
    return done ? value + size : NULL;
}

static bool read_line(bl_sfz_text *text, const char *line) {
    const char *from = skip_space(line);
    while (from != NULL && *from != 0) {
        if (*from == '<') {
            from = read_header(text, from);
        } else if (strncmp(from, "#define", 7) == 0) {
            from = define(text, from + 7);
        } else if (strncmp(from, "#include", 8) == 0) {
            from = include(text, from + 8);
        } else {
            from = read_opcode(text, from);
        }
        from = from != NULL ? skip_space(from) : NULL;
    }
    return from != NULL;
}

/* Blanks out what is comment in a line; whether one goes on at its end. */
static bool remove_comments(char *line, bool in_comment) {
    for (char *letter = line; *letter != 0; letter += 1) {
        if (in_comment) {
            bool ends = letter[0] == '*' && letter[1] == '/';
            in_comment = !ends;
            *letter = ' ';
            if (ends) {
                *++letter = ' ';
            }
        } else if (letter[0] == '/' && letter[1] == '/') {
            *letter = 0;
            break;
        } else if (letter[0] == '/' && letter[1] == '*') {
            in_comment = true;
            *letter = ' ';
            *++letter = ' ';
        }
    }
    return in_comment;
}

/* The whole file, ended by 0; NULL, and a message, where that fails. */
static char *load(bl_sfz_text *text, const char *path, size_t *size) {
    char reason[512];
    FILE *file = bl_file_open_stream(path, reason, sizeof reason);
    if (file == NULL) {
        bl_sfz_refuse(text, "%s", reason);
        return NULL;
    }
    char *bytes = malloc(LONGEST_FILE + 1);
    *size = bytes != NULL ? fread(bytes, 1, LONGEST_FILE + 1, file) : 0;
    bool failed = bytes == NULL || ferror(file) != 0;
    fclose(file);
    text->byte_count += *size;
    if (failed) {
        bl_sfz_refuse(text, "cannot read %s", path);
    } else if (*size > LONGEST_FILE || text->byte_count > LONGEST_TEXT) {
        bl_sfz_refuse(text, "%s is too long", path);
    } else if (memchr(bytes, 0, *size) != NULL) {
        bl_sfz_refuse(text, "%s is not text", path);
    } else {
        bytes[*size] = 0;
        return bytes;
    }
    free(bytes);
    return NULL;
}

bool bl_sfz_text_read(bl_sfz_text *text, const char *file) {
    const char *path = bl_sfz_path(text, file);
    if (path == NULL) {
        return false;
    }
    for (uint32_t index = 0; index < text->depth; index += 1) {
        if (strcmp(text->open[index], path) == 0) {
            return bl_sfz_refuse(text, "%s includes itself", file);
        }
    }
    if (text->depth == sizeof text->open / sizeof text->open[0] || text->file_count == MOST_FILES) {
        return bl_sfz_refuse(text, "too many included files");
    }
    size_t size;
    char *bytes = load(text, path, &size);
    if (bytes == NULL) {
        return false;
    }
    const char *name = copy(text, file, strlen(file));
    if (name == NULL) {
        free(bytes);
        return false;
    }
    text->file_count += 1;
    text->open[text->depth++] = path;
    text->place = (bl_sfz_place){name, 0};
    bool in_comment = false, done = true;
    char *line = strncmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? bytes + 3 : bytes;
    while (done && line < bytes + size) {
        size_t length = strcspn(line, "\r\n");
        char *next = line + length + (line + length < bytes + size);
        if (line[length] == '\r' && *next == '\n') {
            next += 1;
        }
        line[length] = 0;
        text->place.line += 1;
        in_comment = remove_comments(line, in_comment);
        done = read_line(text, line);
        line = next;
    }
    text->depth -= 1;
    free(bytes);
    return done;
}
