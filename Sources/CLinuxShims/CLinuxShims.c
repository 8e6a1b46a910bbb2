// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// System calls that Swift cannot make by itself.
#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/openat2.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "FutexCalls.h"


enum { maximumDescriptorCount = 16 };

static int orErrno(long result) { return result < 0 ? -errno : (int)result; }

// Since Linux 6.7 waiting and waking have calls of their own. A filter can allow these by their number, which is a look-up in
// the kernel. For the older call the filter must check the operation, with a program that runs each time.
enum { wordOf32Bits = 0x02 };
static const long everyBit = FUTEX_BITSET_MATCH_ANY;
static atomic_bool hasOlderCallAlone;

/// Makes a system call without the C library's function; returns a negative error number instead of setting errno.
///
/// With that function, a hand-off would need its page, and those of the tables that lead to it.
static inline long call(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
  long result;
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  register long sixth __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
  return result;
#else
  long result = syscall(number, a, b, c, d, e, f);
  return result < 0 ? -errno : result;
#endif
}

/// True if the kernel, or a filter, does not know the newer call.
///
/// Filters of older containers answer EPERM. Both calls have no other reason for that.
static bool isUnknown(long result) {
  if (result != -ENOSYS && result != -EPERM) return false;
  atomic_store_explicit(&hasOlderCallAlone, true, memory_order_relaxed);
  return true;
}

int CLinuxShims_futexWait(uint32_t *word, uint32_t expected, uint64_t deadlineNanoseconds) {
  struct timespec time, *deadline = NULL;
  if (__builtin_expect(deadlineNanoseconds != 0, 0)) {
    time = (struct timespec){deadlineNanoseconds / 1000000000u, deadlineNanoseconds % 1000000000u};
    deadline = &time;
  }
  long result = -1;
  bool isAsked = __builtin_expect(!atomic_load_explicit(&hasOlderCallAlone, memory_order_relaxed), 1);
  if (isAsked) result = call(SYS_futex_wait, (long)word, expected, everyBit, wordOf32Bits, (long)deadline, CLOCK_MONOTONIC);
  if (!isAsked || __builtin_expect(isUnknown(result), 0))
    result = call(SYS_futex, (long)word, FUTEX_WAIT_BITSET, expected, (long)deadline, 0, FUTEX_BITSET_MATCH_ANY);
  return result == -EAGAIN ? 0 : (int)result;
}

int CLinuxShims_futexWake(uint32_t *word, int count) {
  if (__builtin_expect(!atomic_load_explicit(&hasOlderCallAlone, memory_order_relaxed), 1)) {
    long result = call(SYS_futex_wake, (long)word, everyBit, count, wordOf32Bits, 0, 0);
    if (__builtin_expect(!isUnknown(result), 1)) return (int)result;
  }
  return (int)call(SYS_futex, (long)word, FUTEX_WAKE, count, 0, 0, 0);
}

uint64_t CLinuxShims_monotonicNanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void CLinuxShims_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

int CLinuxShims_memfdCreate(const char *name) {
  // The kernel refuses a name of more than 249 bytes, and a plug-in may have any name.
  char shortened[200];
  snprintf(shortened, sizeof shortened, "%s", name);
  return orErrno(memfd_create(shortened, MFD_CLOEXEC | MFD_ALLOW_SEALING));
}

int CLinuxShims_addSeals(int descriptor, int seals) { return orErrno(fcntl(descriptor, F_ADD_SEALS, seals)); }
int CLinuxShims_seals(int descriptor) { return orErrno(fcntl(descriptor, F_GET_SEALS)); }
int CLinuxShims_sizeSeals(void) { return F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL; }
int CLinuxShims_writeSeal(void) { return F_SEAL_WRITE; }

int CLinuxShims_reopenReadOnly(int descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return orErrno(open(path, O_RDONLY | O_CLOEXEC));
}

int CLinuxShims_openPath(const char *path) { return orErrno(open(path, O_PATH | O_CLOEXEC)); }
int CLinuxShims_openBeneath(int folder, const char *path) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  return orErrno((int)syscall(SYS_openat2, folder, path, &how, sizeof how));
}
int CLinuxShims_hasAttribute(const char *path, const char *name, char value) {
  char found;
  return getxattr(path, name, &found, 1) == 1 && found == value;
}
int CLinuxShims_setAttribute(const char *path, const char *name, char value) {
  return orErrno(setxattr(path, name, &value, 1, 0));
}
int CLinuxShims_pipe(int *ends) { return orErrno(pipe2(ends, O_CLOEXEC)); }

int CLinuxShims_inputWatch(void) { return orErrno(epoll_create1(EPOLL_CLOEXEC)); }

int CLinuxShims_watchInput(int watch, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data = {.fd = descriptor}};
  return orErrno(epoll_ctl(watch, EPOLL_CTL_ADD, descriptor, &event));
}

void CLinuxShims_forgetInput(int watch, int descriptor) { epoll_ctl(watch, EPOLL_CTL_DEL, descriptor, NULL); }

int CLinuxShims_awaitInput(int watch, int *descriptors, int capacity, int milliseconds) {
  enum { most = 64 };
  struct epoll_event events[most];
  int count = orErrno(epoll_wait(watch, events, capacity < most ? capacity : most, milliseconds));
  for (int index = 0; index < count; index++) descriptors[index] = events[index].data.fd;
  return count;
}

int CLinuxShims_eventDescriptor(void) { return orErrno(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

void CLinuxShims_ringEvent(int descriptor) {
  uint64_t one = 1;
  // The counter is full only after 2^64 - 2 rings, and then the polling thread is already awake. The call bypasses the library,
  // whose checkers assume that every write may wait.
  syscall(SYS_write, descriptor, &one, sizeof one);
}

int CLinuxShims_startProcessorTimer(pid_t process, int signal, uint64_t nanoseconds, uintptr_t *timer) {
  timer_t made;
  clockid_t clock;
  int error = clock_getcpuclockid(process, &clock);
  if (error != 0) return -error;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  if (timer_create(clock, &event, &made) != 0) return -errno;
  struct itimerspec time = {.it_value = {nanoseconds / 1000000000u, nanoseconds % 1000000000u}};
  *timer = (uintptr_t)made;
  if (timer_settime(made, 0, &time, NULL) == 0) return 0;
  error = errno;
  timer_delete(made);
  return -error;
}

void CLinuxShims_deleteTimer(uintptr_t timer) { timer_delete((timer_t)timer); }

int CLinuxShims_blockedSignalDescriptor(int *signal) {
  // Sanitizers and debuggers of other runtimes take signals from both ends of the range; this one is between them.
  *signal = SIGRTMIN + 7;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, *signal);
  int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (error != 0) return -error;
  return orErrno(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int CLinuxShims_pidfdOpen(pid_t pid) { return orErrno(syscall(SYS_pidfd_open, pid, 0)); }

int CLinuxShims_pidfdSendSignal(int pidfd, int signal) {
  return orErrno(syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0));
}

int CLinuxShims_findThread(pid_t process, pid_t thread) { return orErrno(syscall(SYS_tgkill, process, thread, 0)); }

pid_t CLinuxShims_threadIdentifier(void) { return (pid_t)syscall(SYS_gettid); }

// The kernel walks the list first and handles the pending entry last. So a thread that the doorbell wakes already finds the
// lifeline cut. An entry's futex lies `futex_offset` bytes after the entry. The pending entry is never dereferenced, only
// offset.
struct LifelineList {
  struct robust_list_head head;
  struct robust_list entry;
};

int CLinuxShims_registerLifeline(void *storage, uint32_t *lifeline, uint32_t *doorbell) {
  struct LifelineList *list = storage;
  list->head.list.next = &list->entry;
  list->entry.next = &list->head.list;
  list->head.futex_offset = (char *)lifeline - (char *)&list->entry;
  list->head.list_op_pending = (struct robust_list *)((char *)doorbell - list->head.futex_offset);
  __atomic_store_n(lifeline, (uint32_t)FUTEX_WAITERS | (uint32_t)CLinuxShims_threadIdentifier(), __ATOMIC_SEQ_CST);
  return orErrno(syscall(SYS_set_robust_list, &list->head, sizeof list->head));
}

void CLinuxShims_pointLifeline(void *storage, uint32_t *doorbell) {
  struct LifelineList *list = storage;
  // One store: the thread may be killed between any two instructions, and the kernel then reads the list in that state.
  __atomic_store_n(&list->head.list_op_pending, (struct robust_list *)((char *)doorbell - list->head.futex_offset),
                   __ATOMIC_RELEASE);
}

void CLinuxShims_withdrawLifeline(void) { syscall(SYS_set_robust_list, NULL, sizeof(struct robust_list_head)); }

ssize_t CLinuxShims_send(int socket, const void *head, size_t headByteCount, const void *body, size_t bodyByteCount,
                         const int *descriptors, int descriptorCount) {
  struct iovec parts[2] = {{(void *)head, headByteCount}, {(void *)body, bodyByteCount}};
  union {
    char bytes[CMSG_SPACE(sizeof(int) * maximumDescriptorCount)];
    struct cmsghdr align;
  } control;
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  if (descriptorCount > maximumDescriptorCount) return -E2BIG;
  if (descriptorCount > 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)descriptorCount);
    struct cmsghdr *entry = CMSG_FIRSTHDR(&message);
    entry->cmsg_level = SOL_SOCKET;
    entry->cmsg_type = SCM_RIGHTS;
    entry->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)descriptorCount);
    memcpy(CMSG_DATA(entry), descriptors, sizeof(int) * (size_t)descriptorCount);
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

static void takeDescriptors(struct msghdr *message, int *descriptors, int *count) {
  *count = 0;
  for (struct cmsghdr *entry = CMSG_FIRSTHDR(message); entry; entry = CMSG_NXTHDR(message, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
    int received = (int)((entry->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (int index = 0; index < received; index++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(entry) + sizeof(int) * (size_t)index, sizeof descriptor);
      if (*count < maximumDescriptorCount) {
        descriptors[(*count)++] = descriptor;
      } else {
        close(descriptor);
      }
    }
  }
}

int CLinuxShims_accept(int listener) {
  int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  return client < 0 ? -errno : client;
}

int CLinuxShims_limitProcess(pid_t process, uint64_t memoryByteCount, int niceness) {
  const struct rlimit limit = {memoryByteCount, memoryByteCount};
  if (memoryByteCount > 0 && prlimit(process, RLIMIT_AS, &limit, NULL) != 0) return -errno;
  return setpriority(PRIO_PROCESS, (id_t)process, niceness) == 0 ? 0 : -errno;
}

int CLinuxShims_peer(int socket, uint32_t *user, pid_t *process) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -errno;
  *user = credentials.uid;
  *process = credentials.pid;
  return 0;
}

ssize_t CLinuxShims_receive(int socket, void *buffer, size_t capacity, int *descriptors, int *descriptorCount) {
  struct iovec part = {buffer, capacity};
  union {
    char bytes[CMSG_SPACE(sizeof(int) * maximumDescriptorCount)];
    struct cmsghdr align;
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control};
  ssize_t received;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  *descriptorCount = 0;
  if (received < 0) return -errno;
  takeDescriptors(&message, descriptors, descriptorCount);
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
    for (int index = 0; index < *descriptorCount; index++) close(descriptors[index]);
    *descriptorCount = 0;
    return -EMSGSIZE;
  }
  return received;
}

void CLinuxShims_beginWriting(int file) { sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE); }

void CLinuxShims_raiseRealtimeTime(pid_t process, uint64_t microseconds) {
  struct rlimit limit;
  if (prlimit(process, RLIMIT_RTTIME, NULL, &limit) < 0 || limit.rlim_cur >= microseconds) return;
  limit.rlim_cur = microseconds < limit.rlim_max ? microseconds : limit.rlim_max;
  prlimit(process, RLIMIT_RTTIME, &limit, NULL);
}

void CLinuxShims_boundRealtimeTime(pid_t process, uint64_t microseconds) {
  struct rlimit limit;
  if (prlimit(process, RLIMIT_RTTIME, NULL, &limit) < 0) return;
  if (limit.rlim_max > microseconds) limit.rlim_max = microseconds;
  // At the hard limit the kernel kills the process without the warning that it gives at the soft limit.
  if (limit.rlim_cur > microseconds / 4 * 3) limit.rlim_cur = microseconds / 4 * 3;
  prlimit(process, RLIMIT_RTTIME, &limit, NULL);
}

int CLinuxShims_setScheduler(pid_t thread, int policy, int priority) {
  struct sched_param parameter = {.sched_priority = priority};
  return orErrno(sched_setscheduler(thread, policy | SCHED_RESET_ON_FORK, &parameter));
}

int CLinuxShims_scheduler(pid_t thread, int *policy, int *priority) {
  struct sched_param parameter;
  int result = sched_getscheduler(thread);
  if (result < 0 || sched_getparam(thread, &parameter) < 0) return -errno;
  *policy = result & ~SCHED_RESET_ON_FORK;
  *priority = parameter.sched_priority;
  return 0;
}

int CLinuxShims_setProcessors(pid_t thread, const uint64_t *mask, size_t wordCount) {
  return orErrno(syscall(SYS_sched_setaffinity, thread, wordCount * sizeof *mask, mask));
}

int CLinuxShims_bindThread(pid_t thread, int processor) {
  uint64_t mask[16] = {0};
  if (processor < 0 || (size_t)processor >= 8 * sizeof mask) return -EINVAL;
  mask[processor / 64] = (uint64_t)1 << processor % 64;
  return CLinuxShims_setProcessors(thread, mask, sizeof mask / sizeof *mask);
}

int CLinuxShims_processors(pid_t thread, uint64_t *mask, size_t wordCount) {
  memset(mask, 0, wordCount * sizeof *mask);
  return orErrno(syscall(SYS_sched_getaffinity, thread, wordCount * sizeof *mask, mask));
}

static void raiseLimit(int resource, rlim_t wanted) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)resource, &limit) < 0 || limit.rlim_cur >= wanted) return;
  struct rlimit raised = {wanted, limit.rlim_max > wanted ? limit.rlim_max : wanted};
  if (setrlimit((__rlimit_resource_t)resource, &raised) == 0) return;
  raised.rlim_cur = raised.rlim_max = limit.rlim_max;
  setrlimit((__rlimit_resource_t)resource, &raised);
}

void CLinuxShims_raiseRealtimeLimits(void) {
  raiseLimit(RLIMIT_RTPRIO, 95);
  raiseLimit(RLIMIT_MEMLOCK, RLIM_INFINITY);
}

void CLinuxShims_raiseDescriptorCount(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int CLinuxShims_limit(int resource, uint64_t *soft) {
  struct rlimit limit;
  if (getrlimit((__rlimit_resource_t)resource, &limit) < 0) return -errno;
  *soft = limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
  return 0;
}

int CLinuxShims_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  return ppoll(descriptors, count, nanoseconds < 0 ? NULL : &time, NULL);
}

int CLinuxShims_makePollList(void) { return epoll_create1(EPOLL_CLOEXEC); }

int CLinuxShims_addToPollList(int list, int descriptor, uint64_t tag) {
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = tag};
  return epoll_ctl(list, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : -errno;
}

void CLinuxShims_removeFromPollList(int list, int descriptor) {
  struct epoll_event event = {0};
  epoll_ctl(list, EPOLL_CTL_DEL, descriptor, &event);
}

int CLinuxShims_readyInPollList(int list, uint64_t *tags, int count) {
  struct epoll_event events[64];
  int ready = epoll_wait(list, events, count < 64 ? count : 64, 0);
  for (int index = 0; index < ready; index++) tags[index] = events[index].data.u64;
  return ready > 0 ? ready : 0;
}

void CLinuxShims_nameThread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
