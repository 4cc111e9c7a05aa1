/* Preloaded into a server: writes down in one order what it does to the files of a folder and what it sends over sockets.

   A record is a head of four 64-bit numbers (kind, offset, length of the name, length of the data), the name and the data. The lock around a
   call and its record makes the order of the records one in which things can have happened. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE, CUT, SYNC, REMOVE, SEND };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;
static const char *folder;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("FOXCLOVER_TRACE");
  folder = getenv("FOXCLOVER_TRACED");
  if (name && folder) trace = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  unsetenv("LD_PRELOAD"); /* the processes that think write nothing */
}

static ssize_t plain_write(int file, const void *data, size_t size) {
  static ssize_t (*call)(int, const void *, size_t);
  if (!call) call = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  return call(file, data, size);
}

static void note(int kind, int64_t offset, const char *name, const void *data, size_t size) {
  int64_t head[4] = {kind, offset, (int64_t)strlen(name), (int64_t)size};
  plain_write(trace, head, sizeof head);
  plain_write(trace, name, strlen(name));
  if (size) plain_write(trace, data, size);
}

/* The name of a file of the folder, "" for the folder itself, NULL for anything else. */
static const char *inside(const char *path) {
  size_t length = strlen(folder);
  if (strncmp(path, folder, length) || (path[length] && path[length] != '/')) return NULL;
  return path + length + (path[length] == '/');
}

static const char *name_of(int file, char *path, size_t size) {
  char link[64];
  if (trace < 0) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, size - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  return inside(path);
}

static int is_socket(int file) {
  int kind;
  socklen_t size = sizeof kind;
  return trace >= 0 && !getsockopt(file, SOL_SOCKET, SO_TYPE, &kind, &size);
}

#define NEXT(type, name, ...)                                         \
  static type (*call)(__VA_ARGS__);                                   \
  if (!call) call = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name);   \
  char path[4096];

#define NOTED(done, kind, offset, name, data, size) \
  pthread_mutex_lock(&lock);                        \
  done;                                             \
  if (result >= 0) note(kind, offset, name, data, size); \
  pthread_mutex_unlock(&lock);                      \
  return result;

ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset) {
  NEXT(ssize_t, pwrite64, int, const void *, size_t, off64_t)
  const char *name = name_of(file, path, sizeof path);
  if (!name) return call(file, data, size, offset);
  NOTED(ssize_t result = call(file, data, size, offset), WRITE, offset, name, data, (size_t)result)
}

ssize_t pwrite(int file, const void *data, size_t size, off_t offset) { return pwrite64(file, data, size, offset); }

ssize_t write(int file, const void *data, size_t size) {
  char path[4096];
  const char *name = name_of(file, path, sizeof path);
  if (name) {
    NOTED(off_t offset = lseek(file, 0, SEEK_CUR); ssize_t result = plain_write(file, data, size), WRITE, offset, name, data, (size_t)result)
  }
  if (!is_socket(file)) return plain_write(file, data, size);
  pthread_mutex_lock(&lock);
  note(SEND, 0, "", data, size); /* before it is sent: what was acknowledged is told no later than the client learns of it */
  pthread_mutex_unlock(&lock);
  return plain_write(file, data, size);
}

ssize_t send(int file, const void *data, size_t size, int flags) {
  NEXT(ssize_t, send, int, const void *, size_t, int)
  (void)path;
  if (trace >= 0) {
    pthread_mutex_lock(&lock);
    note(SEND, 0, "", data, size);
    pthread_mutex_unlock(&lock);
  }
  return call(file, data, size, flags);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  NEXT(ssize_t, writev, int, const struct iovec *, int)
  (void)path;
  if (is_socket(file)) {
    pthread_mutex_lock(&lock);
    for (int part = 0; part < count; part++) note(SEND, 0, "", parts[part].iov_base, parts[part].iov_len);
    pthread_mutex_unlock(&lock);
  }
  return call(file, parts, count);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
  NEXT(ssize_t, sendmsg, int, const struct msghdr *, int)
  (void)path;
  if (trace >= 0) {
    pthread_mutex_lock(&lock);
    for (size_t part = 0; part < message->msg_iovlen; part++) note(SEND, 0, "", message->msg_iov[part].iov_base, message->msg_iov[part].iov_len);
    pthread_mutex_unlock(&lock);
  }
  return call(file, message, flags);
}

int ftruncate64(int file, off64_t size) {
  NEXT(int, ftruncate64, int, off64_t)
  const char *name = name_of(file, path, sizeof path);
  if (!name) return call(file, size);
  NOTED(int result = call(file, size), CUT, size, name, NULL, 0)
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

int fdatasync(int file) {
  NEXT(int, fdatasync, int)
  const char *name = name_of(file, path, sizeof path);
  if (!name) return call(file);
  NOTED(int result = call(file), SYNC, 0, name, NULL, 0)
}

int fsync(int file) {
  NEXT(int, fsync, int)
  const char *name = name_of(file, path, sizeof path);
  if (!name) return call(file);
  NOTED(int result = call(file), SYNC, 0, name, NULL, 0)
}

int unlink(const char *whole) {
  NEXT(int, unlink, const char *)
  (void)path;
  const char *name = trace < 0 ? NULL : inside(whole);
  if (!name) return call(whole);
  NOTED(int result = call(whole), REMOVE, 0, name, NULL, 0)
}
