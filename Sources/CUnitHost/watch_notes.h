/* Where the watched thread notes its system calls. */
#ifndef BACKLINE_WATCH_NOTES_H
#define BACKLINE_WATCH_NOTES_H

void bl_render_watch_note_system_call(long number);

#endif
