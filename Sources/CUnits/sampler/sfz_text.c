#include "sampler/sfz_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/file_open.h"
#include "sampler/sfz_encoding.h"

enum {
    LONGEST_FILE = 16 << 20, /* bytes */
    LONGEST_TEXT = 64 << 20, /* of all files together, bytes */
    MOST_FILES = 1000,
    MOST_DEFINITIONS = 1000,
    LONGEST_VALUE = 1024 /* including expanded definitions and the terminating 0, bytes */
};

void bl_sfz_warn(const bl_sfz_text *text, const char *kind, const char *format, ...) {
    bl_sampler_instrument *instrument = text->instrument;
    if (bl_remarks_count(&instrument->remarks, kind)) {
        return;
    }
    char sentence[512];
    int length = snprintf(sentence, sizeof sentence, "%s:%u: ", text->place.file, text->place.line);
    if (length >= 0 && (size_t)length < sizeof sentence) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(sentence + length, sizeof sentence - (size_t)length, format, arguments);
        va_end(arguments);
    }
    bl_remarks_add(&instrument->remarks, &instrument->arena, kind, sentence);
}

static bool is_name(char letter) {
    return isalnum((unsigned char)letter) || letter == '_' || letter == '$' || letter == '#';
}

static const char *skip_space(const char *from) { return from + strspn(from, " \t\r\f\v"); }

/* The definition with the longest name at the start of `from`. */
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

static size_t name_length(const char *from) {
    size_t length = 0;
    while (isalnum((unsigned char)from[length]) || from[length] == '_') {
        length += 1;
    }
    return length;
}

/* Writes text with its definitions expanded, and a 0, to LONGEST_VALUE bytes; false if it is too
   long. */
static bool expand(const bl_sfz_text *text, const char *from, size_t length, char *to) {
    size_t used = 0;
    for (size_t index = 0; index < length;) {
        const char *part = from + index;
        size_t size = 1, taken = 1;
        if (*part == '$') {
            const bl_sfz_definition *found = definition_at(text, part + 1, length - index - 1);
            if (found != NULL) {
                part = found->value;
                size = strlen(part);
                taken = 1 + strlen(found->name);
            } else {
                bl_sfz_warn(text, "$", "%.*s is not defined", (int)(1 + name_length(part + 1)),
                            part);
            }
        }
        if (used + size >= LONGEST_VALUE) {
            bl_sfz_warn(text, "long", "a value longer than %d bytes", LONGEST_VALUE);
            return false;
        }
        memcpy(to + used, part, size);
        used += size;
        index += taken;
    }
    to[used] = 0;
    return true;
}

/* Sets the value of a definition. */
static void set_definition(bl_sfz_text *text, const char *name, size_t length, const char *value) {
    uint32_t count = 0;
    for (bl_sfz_definition *other = text->definitions; other != NULL; other = other->next) {
        if (strlen(other->name) == length && memcmp(other->name, name, length) == 0) {
            strcpy(other->value, value);
            return;
        }
        count += 1;
    }
    if (count == MOST_DEFINITIONS) {
        bl_sfz_warn(text, "#define", "more than %d definitions", MOST_DEFINITIONS);
        return;
    }
    bl_arena *arena = &text->instrument->arena;
    bl_sfz_definition *added = bl_arena_allocate(arena, 1, sizeof *added);
    char *kept = bl_arena_allocate(arena, LONGEST_VALUE, 1);
    char *own_name = bl_arena_allocate(arena, length + 1, 1);
    if (added != NULL && kept != NULL && own_name != NULL) {
        memcpy(own_name, name, length);
        strcpy(kept, value);
        *added = (bl_sfz_definition){own_name, kept, text->definitions};
        text->definitions = added;
    }
}

/* Reads #define $NAME value; returns the rest. */
static const char *define(bl_sfz_text *text, const char *from) {
    from = skip_space(from);
    const char *name = from + (*from == '$');
    size_t length = name_length(name);
    if (name == from || length == 0) {
        bl_sfz_warn(text, "#define", "#define needs a name that begins with $, and its value");
        return from + strlen(from);
    }
    from = skip_space(name + length);
    size_t size = strcspn(from, " \t\r");
    char value[LONGEST_VALUE];
    if (expand(text, from, size, value)) {
        set_definition(text, name, length, value);
    }
    return from + size;
}

/* Reads #include "file"; returns the rest. */
static const char *include(bl_sfz_text *text, const char *from) {
    from = skip_space(from);
    const char *end = *from == '"' ? strchr(from + 1, '"') : NULL;
    if (end == NULL) {
        bl_sfz_warn(text, "#include", "#include needs a file name in quotation marks");
        return from + strlen(from);
    }
    bl_sfz_place place = text->place;
    char file[LONGEST_VALUE], reason[512];
    if (expand(text, from + 1, (size_t)(end - from - 1), file)) {
        bool is_read = bl_sfz_text_read(text, file, reason, sizeof reason);
        text->place = place;
        if (!is_read) {
            bl_sfz_warn(text, "#include", "#include is left out: %s", reason);
        }
    }
    return end + 1;
}

/* The length of a value: to the end of the line, or to another opcode or header. */
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
            if (*skip_space(from + name) == '=' && index > 0) {
                break;
            }
        }
        if (!isspace((unsigned char)from[index])) {
            length = index + 1;
        }
    }
    return length;
}

static void to_small_letters(char *name) {
    for (; *name != 0; name += 1) {
        *name = (char)tolower((unsigned char)*name);
    }
}

static const char *read_header(bl_sfz_text *text, const char *from) {
    from = skip_space(from + 1);
    size_t length = 0;
    while (is_name(from[length])) {
        length += 1;
    }
    char name[LONGEST_VALUE];
    if (length > 0 && expand(text, from, length, name)) {
        to_small_letters(name);
        text->header(text->context, name);
    }
    from = skip_space(from + length);
    if (*from == '>') {
        return from + 1;
    }
    bl_sfz_warn(text, "<", "a header without its >");
    return from;
}

/* Skips text that is neither a header nor an opcode. */
static const char *skip_words(const bl_sfz_text *text, const char *from) {
    size_t size = value_length(from);
    size = size > 0 ? size : 1;
    bl_sfz_warn(text, "words", "“%.*s” is neither a <header> nor opcode=value",
                (int)(size < 40 ? size : 40), from);
    return from + size;
}

static const char *read_opcode(bl_sfz_text *text, const char *from) {
    size_t length = 0;
    while (is_name(from[length])) {
        length += 1;
    }
    const char *value = skip_space(from + length);
    if (length == 0 || *value != '=') {
        return skip_words(text, from);
    }
    value += 1;
    size_t size = value_length(value);
    const char *rest = value + size;
    value = skip_space(value);
    size = value < rest ? (size_t)(rest - value) : 0;
    char name[LONGEST_VALUE], expanded[LONGEST_VALUE];
    if (expand(text, from, length, name) && expand(text, value, size, expanded)) {
        to_small_letters(name);
        text->opcode(text->context, name, expanded);
    }
    return rest;
}

static void read_line(bl_sfz_text *text, const char *line) {
    for (const char *from = skip_space(line); *from != 0; from = skip_space(from)) {
        if (*from == '<') {
            from = read_header(text, from);
        } else if (strncmp(from, "#define", 7) == 0) {
            from = define(text, from + 7);
        } else if (strncmp(from, "#include", 8) == 0) {
            from = include(text, from + 8);
        } else {
            from = read_opcode(text, from);
        }
    }
}

/* Replaces comments in a line by blanks; returns whether one continues after its end. */
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

/* Reads the whole file, ended by 0; NULL, and a message, on failure. */
static char *load(bl_sfz_text *text, const char *path, size_t *size, char *message,
                  size_t message_size) {
    FILE *file = bl_file_open_stream(path, message, message_size);
    if (file == NULL) {
        return NULL;
    }
    char *bytes = malloc(LONGEST_FILE + 1);
    *size = bytes != NULL ? fread(bytes, 1, LONGEST_FILE + 1, file) : 0;
    bool failed = bytes == NULL || ferror(file) != 0;
    fclose(file);
    text->byte_count += *size;
    if (failed) {
        snprintf(message, message_size, "cannot read %s", path);
    } else if (*size > LONGEST_FILE || text->byte_count > LONGEST_TEXT) {
        snprintf(message, message_size, "%s is too long", path);
    } else {
        bytes = bl_sfz_decode(bytes, size);
        if (bytes != NULL && memchr(bytes, 0, *size) == NULL) {
            return bytes;
        }
        snprintf(message, message_size, "%s is not text", path);
    }
    free(bytes);
    return NULL;
}

static void read_lines(bl_sfz_text *text, char *line, const char *end) {
    bool in_comment = false;
    while (line < end && !text->instrument->arena.failed) {
        size_t length = strcspn(line, "\r\n");
        char *next = line + length + (line + length < end);
        if (line[length] == '\r' && *next == '\n') {
            next += 1;
        }
        line[length] = 0;
        text->place.line += 1;
        in_comment = remove_comments(line, in_comment);
        read_line(text, line);
        line = next;
    }
    if (in_comment) {
        bl_sfz_warn(text, "comment", "the end is all comment: there is no */");
    }
}

bool bl_sfz_text_read(bl_sfz_text *text, const char *file, char *message, size_t message_size) {
    const char *path = bl_sfz_path(text, file);
    const char *name = bl_arena_copy(&text->instrument->arena, file, strlen(file) + 1, 1);
    if (path == NULL || name == NULL) {
        snprintf(message, message_size, "no memory for %s", file);
        return false;
    }
    bl_sampler_instrument_note(text->instrument, path);
    for (uint32_t index = 0; index < text->depth; index += 1) {
        if (strcmp(text->open[index], path) == 0) {
            snprintf(message, message_size, "%s includes itself", file);
            return false;
        }
    }
    if (text->depth == sizeof text->open / sizeof text->open[0] || text->file_count == MOST_FILES) {
        snprintf(message, message_size, "too many included files");
        return false;
    }
    size_t size;
    char *bytes = load(text, path, &size, message, message_size);
    if (bytes == NULL) {
        return false;
    }
    text->file_count += 1;
    text->open[text->depth++] = path;
    text->place = (bl_sfz_place){name, 0};
    read_lines(text, bytes, bytes + size);
    text->depth -= 1;
    free(bytes);
    return true;
}
