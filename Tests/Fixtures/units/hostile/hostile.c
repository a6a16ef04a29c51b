/* A unit whose property makes it perform a deed, allowed or not: "DEED" or "DEED PATH". */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../plain_unit.h"

static int try_to_open(const char *path, int flags) {
    int file = open(path, flags, 0600);
    if (file >= 0) {
        close(file);
    }
    return file;
}

static int list_folder(const char *path) {
    DIR *folder = opendir(path);
    if (folder != NULL) {
        closedir(folder);
    }
    return folder == NULL ? -1 : 0;
}

static int abstract_socket(const char *path) {
    (void)path;
    struct sockaddr_un address = {AF_UNIX, "\0backline-test"};
    int end = socket(AF_UNIX, SOCK_DGRAM, 0);
    return end < 0 ? -1 : bind(end, (struct sockaddr *)&address, sizeof address);
}

static int start_program(const char *path) {
    char *const arguments[] = {(char *)path, NULL};
    pid_t process;
    return posix_spawn(&process, path, NULL, NULL, arguments, NULL) == 0 ? 0 : -1;
}

static int read_memory_of_host(void) {
    char byte;
    struct iovec here = {&byte, 1}, there = {&errno, 1};
    return (int)process_vm_readv(getppid(), &here, 1, &there, 1, 0);
}

static int raise_limits(void) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_FSIZE, &limit);
}

static int raise_priority(void) {
    struct sched_param priority = {99};
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) == 0 ? 0 : -1;
}

static int fill_disk(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    char block[4096] = {0};
    while (file >= 0 && write(file, block, sizeof block) == sizeof block) {
    }
    return -1;
}

static int fill_disk_with_files(const char *folder) {
    for (int index = 0; index < 1000; index += 1) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%d", folder, index);
        int file = open(path, O_WRONLY | O_CREAT, 0600);
        static const char block[1 << 16];
        if (file < 0 || write(file, block, sizeof block) != sizeof block) {
            return -1;
        }
        close(file);
    }
    return 0;
}

static int eat_memory(void) {
    char *volatile memory;
    while ((memory = malloc(1 << 20)) != NULL) {
        memset(memory, 1, 1 << 20);
    }
    return -1;
}

static int eat_descriptors(void) {
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
    return -1;
}

/* Frees pages of a mapped file; shared memory is such a file to the kernel. */
static int remove_pages(const char *path) {
    int file = open(path, O_RDWR);
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? 0 : madvise(memory, 4096, MADV_REMOVE);
}

static int punch_hole(const char *path) {
    return fallocate(open(path, O_RDWR), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1);
}

/* Writes, renames and deletes a file as a good unit may, with all signals blocked. */
static void *work(void *path) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s.new", (const char *)path);
    int file = open(temporary, O_RDWR | O_CREAT | O_TRUNC, 0600);
    bool works = file >= 0 && write(file, "state", 5) == 5 && fsync(file) == 0 &&
                 rename(temporary, path) == 0 && unlink(path) == 0 && close(file) == 0;
    return works ? path : NULL;
}

static int be_good(const char *path) {
    pthread_t thread;
    void *result = NULL;
    if (pthread_create(&thread, NULL, work, (void *)path) != 0) {
        return -1;
    }
    pthread_join(thread, &result);
    bool reads = fopen("/proc/self/maps", "r") != NULL && fopen("/dev/urandom", "r") != NULL &&
                 fopen("/no/such/file", "r") == NULL && errno == ENOENT;
    return result != NULL && reads && sysconf(_SC_NPROCESSORS_ONLN) > 0 && kill(getpid(), 0) == 0
               ? 0
               : -1;
}

/* Blocks and ignores the signal of trapped calls, and then starts a process. */
static int go_unnamed(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGSYS, SIG_IGN);
    return fork();
}

static int act(const char *deed, const char *path) {
    char buffer[256] = {0};
#define DEED(name, action)                                                                         \
    if (strcmp(deed, name) == 0) {                                                                 \
        return (int)(action);                                                                      \
    }
    DEED("be-good", be_good(path))
    DEED("read-file", try_to_open(path, O_RDONLY))
    DEED("read-through-link", symlink("/etc/passwd", path) == 0 ? try_to_open(path, O_RDONLY) : -1)
    DEED("list-folder", list_folder(path))
    DEED("write-file", try_to_open(path, O_WRONLY | O_CREAT))
    DEED("make-folder", mkdir(path, 0700))
    DEED("truncate-file", truncate(path, 0))
    DEED("delete-file", unlink(path))
    DEED("open-mode", chmod(path, 0777))
    DEED("watch-folder", syscall(SYS_inotify_add_watch, 0, path, 2))
    DEED("internet", socket(AF_INET, SOCK_STREAM, 0))
    DEED("unix-socket", socket(AF_UNIX, SOCK_STREAM, 0))
    DEED("abstract-socket", abstract_socket(path))
    DEED("netlink", socket(AF_NETLINK, SOCK_RAW, 0))
    DEED("fork", fork())
    DEED("vfork", syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0))
    DEED("exec", execl("/bin/true", "true", NULL))
    DEED("start-program", start_program("/bin/true"))
    DEED("trace-host", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL))
    DEED("read-memory-of-host", read_memory_of_host())
    DEED("signal-host", kill(getppid(), 0))
    DEED("signal-group", kill(0, SIGURG))
    DEED("signal-by-descriptor", fcntl(0, F_SETOWN, getppid()))
    DEED("raise-limits", raise_limits())
    DEED("raise-priority", raise_priority())
    DEED("fill-disk", fill_disk(path))
    DEED("fill-disk-with-files", fill_disk_with_files(path))
    DEED("eat-memory", eat_memory())
    DEED("hide-memory", syscall(SYS_memfd_create, "hidden", 0))
    DEED("remove-pages", remove_pages(path))
    DEED("punch-hole", punch_hole(path))
    DEED("seal-memory", fcntl(0, F_ADD_SEALS, F_SEAL_WRITE))
    DEED("shared-segment", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600))
    DEED("attach-segment", shmat(0, NULL, 0) == (void *)-1 ? -1 : 0)
    DEED("semaphores", syscall(SYS_semget, IPC_PRIVATE, 1, 0))
    DEED("message-queue", syscall(SYS_msgget, IPC_PRIVATE, 0))
    DEED("read-attributes", syscall(SYS_getxattr, path, "user.test", buffer, sizeof buffer))
    DEED("new-session", syscall(SYS_setsid))
    DEED("eat-descriptors", eat_descriptors())
    DEED("io-uring", syscall(SYS_io_uring_setup, 8, buffer))
    DEED("unshare", unshare(CLONE_NEWUSER))
    DEED("go-unnamed", go_unnamed())
    while (strcmp(deed, "loop") == 0) {
    }
    return -1;
}

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    (void)unit, (void)index;
    const char *space = strchr(value, ' ');
    char deed[64];
    snprintf(deed, sizeof deed, "%.*s", (int)(space == NULL ? 63 : space - value), value);
    errno = 0;
    if (act(deed, space == NULL ? "" : space + 1) >= 0) {
        return BL_OK;
    }
    snprintf(message, message_size, "%s", strerror(errno));
    return BL_ERROR_INVALID_PROPERTY_VALUE;
}

static const bl_property_info properties[] = {{"deed", "Deed", 0, 0}};

UNIT(.properties = properties, .property_count = 1, .set_property = set_property)
