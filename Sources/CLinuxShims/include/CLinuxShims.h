// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// System calls that Swift cannot make by itself: variadic ones, those without a C wrapper, and macros.
//
// Functions return a negative errno on failure. Functions marked as vouched may be called while rendering: each is one system
// call that does not block beyond its stated bound.
#pragma once

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#define CLINUX_VOUCHED __attribute__((swift_attr("@_noLocks")))

/// Sleeps while `*word == expected`, at most until `deadlineNanoseconds` (CLOCK_MONOTONIC; 0: no limit).
///
/// Returns 0 when woken or when the word differs, -ETIMEDOUT or -EINTR. The word may be shared between processes.
CLINUX_VOUCHED int CLinuxShims_futexWait(uint32_t *word, uint32_t expected, uint64_t deadlineNanoseconds);

/// Wakes up to `count` threads that sleep on `word`, in any process.
CLINUX_VOUCHED int CLinuxShims_futexWake(uint32_t *word, int count);

/// CLOCK_MONOTONIC in nanoseconds.
CLINUX_VOUCHED uint64_t CLinuxShims_monotonicNanoseconds(void);

/// The processor's own counter, which has a constant rate; nanoseconds on processors without one.
CLINUX_VOUCHED static inline uint64_t CLinuxShims_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return CLinuxShims_monotonicNanoseconds();
#endif
}

/// Makes the processor fetch a cache line for writing, away from any other processor that holds it.
CLINUX_VOUCHED static inline void CLinuxShims_prefetchForWriting(const void *address) {
#if defined(__x86_64__)
  // The instruction is named: for a generic x86-64 the compiler turns the builtin into a fetch for reading. Processors without
  // the instruction ignore it.
  __asm__ volatile("prefetchw %0" : : "m"(*(const char *)address));
#else
  __builtin_prefetch(address, 1);
#endif
}

/// Tells the processor that this is a spin loop.
CLINUX_VOUCHED void CLinuxShims_pause(void);

int CLinuxShims_memfdCreate(const char *name);
int CLinuxShims_addSeals(int descriptor, int seals);
int CLinuxShims_seals(int descriptor);
/// F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL.
int CLinuxShims_sizeSeals(void);
/// F_SEAL_WRITE, for memory that must not change any more.
int CLinuxShims_writeSeal(void);
/// Opens the same file for reading only.
int CLinuxShims_reopenReadOnly(int descriptor);

/// A descriptor that names a file without opening it for reading, closed on exec; or -errno.
int CLinuxShims_openPath(const char *path);
/// The same for a path that starts in a folder; -EXDEV if one of its links leads out of the folder.
int CLinuxShims_openBeneath(int folder, const char *path);
/// True if an extended attribute of a file consists of the byte `value`.
int CLinuxShims_hasAttribute(const char *path, const char *name, char value);
/// Sets an extended attribute of a file to one byte. Returns 0 or -errno.
int CLinuxShims_setAttribute(const char *path, const char *name, char value);
/// Makes both ends of a pipe, closed on exec.
///
/// Returns 0 or -errno.
int CLinuxShims_pipe(int *ends);

/// Makes a non-blocking eventfd, closed on exec; or -errno.
int CLinuxShims_eventDescriptor(void);
/// Makes an epoll descriptor, closed on exec; or -errno.
int CLinuxShims_inputWatch(void);
/// Watches `descriptor` for input from now on. Returns 0 or -errno.
int CLinuxShims_watchInput(int watch, int descriptor);
/// Stops watching a descriptor.
void CLinuxShims_forgetInput(int watch, int descriptor);
/// Waits for input, at most `milliseconds`; -1 waits for ever.
///
/// Writes up to `capacity` descriptors and returns their number, or -errno.
int CLinuxShims_awaitInput(int watch, int *descriptors, int capacity, int milliseconds);
/// Adds 1 to an eventfd, and wakes the threads that poll it.
///
/// It never waits.
CLINUX_VOUCHED void CLinuxShims_ringEvent(int descriptor);

/// Starts a timer on the processor time of another process.
///
/// Once the process has run for `nanoseconds`, `signal` is sent to the calling thread, which must have it blocked. Returns
/// 0 or -errno.
int CLinuxShims_startProcessorTimer(pid_t process, int signal, uint64_t nanoseconds, uintptr_t *timer);
void CLinuxShims_deleteTimer(uintptr_t timer);
/// Blocks a real-time signal, which nothing else uses, for the calling thread.
///
/// Returns a descriptor that this thread can read while the signal is pending, or -errno.
int CLinuxShims_blockedSignalDescriptor(int *signal);

int CLinuxShims_pidfdOpen(pid_t pid);
int CLinuxShims_pidfdSendSignal(int pidfd, int signal);
pid_t CLinuxShims_threadIdentifier(void);
/// Returns 0 if `process` has a thread of that number, else -ESRCH.
///
/// Takes no lock that an ending thread may hold.
CLINUX_VOUCHED int CLinuxShims_findThread(pid_t process, pid_t thread);

/// Registers two futexes that the kernel changes if this thread dies.
///
/// `lifeline` holds the thread's id and gets FUTEX_OWNER_DIED. Then the sleeper of `doorbell` is woken; its low 30 bits
/// must be zero. `list` is storage for three pointers that lives as long as the thread.
int CLinuxShims_registerLifeline(void *list, uint32_t *lifeline, uint32_t *doorbell);

/// Names another doorbell in a registered list; the thread that owns the list calls this.
CLINUX_VOUCHED void CLinuxShims_pointLifeline(void *list, uint32_t *doorbell);

/// Gives the calling thread an empty list of robust futexes.
void CLinuxShims_withdrawLifeline(void);

/// Accepts a waiting connection, closed on exec and non-blocking; a negative errno if none waits.
int CLinuxShims_accept(int listener);
/// Lowers the priority of another process of this user, and limits its memory unless 0 is given. Returns 0 or -errno.
int CLinuxShims_limitProcess(pid_t process, uint64_t memoryByteCount, int niceness);
/// The process at the other end of a Unix socket, or the one that listened there, and its user; a negative errno if unknown.
int CLinuxShims_peer(int socket, uint32_t *user, pid_t *process);

/// Sends one datagram with descriptors; never blocks.
///
/// Returns -EAGAIN if there is no room for it.
ssize_t CLinuxShims_send(int socket, const void *head, size_t headByteCount, const void *body, size_t bodyByteCount,
                         const int *descriptors, int descriptorCount);
/// Receives one datagram and its descriptors, closed on exec.
///
/// Returns -EMSGSIZE if the datagram was longer than the buffer.
ssize_t CLinuxShims_receive(int socket, void *buffer, size_t capacity, int *descriptors, int *descriptorCount);

/// Makes the kernel begin to write a file's data to the disk; returns before that is done.
void CLinuxShims_beginWriting(int file);

/// Resources whose names are macros.
enum CLinuxShims_Resource {
  CLinuxShims_threads = RLIMIT_NPROC,
  CLinuxShims_lockedMemory = RLIMIT_MEMLOCK,
  CLinuxShims_messageQueues = RLIMIT_MSGQUEUE,
  CLinuxShims_niceness = RLIMIT_NICE,
  CLinuxShims_realtimePriority = RLIMIT_RTPRIO,
  CLinuxShims_realtimeTime = RLIMIT_RTTIME,
  CLinuxShims_memory = RLIMIT_DATA,
  CLinuxShims_fileSize = RLIMIT_FSIZE,
  CLinuxShims_descriptors = RLIMIT_NOFILE,
  CLinuxShims_coreDump = RLIMIT_CORE,
  CLinuxShims_pendingSignals = RLIMIT_SIGPENDING,
};

int CLinuxShims_setScheduler(pid_t thread, int policy, int priority);
int CLinuxShims_scheduler(pid_t thread, int *policy, int *priority);
int CLinuxShims_setProcessors(pid_t thread, const uint64_t *mask, size_t wordCount);
/// Binds a thread to one processor.
///
/// It waits for the scheduler if the thread runs elsewhere. While rendering, only offline rendering may call it.
CLINUX_VOUCHED int CLinuxShims_bindThread(pid_t thread, int processor);
int CLinuxShims_processors(pid_t thread, uint64_t *mask, size_t wordCount);
/// Raises a process's RLIMIT_RTTIME to `microseconds`, if it is lower, as far as allowed.
void CLinuxShims_raiseRealtimeTime(pid_t process, uint64_t microseconds);
/// Lowers a process's hard RLIMIT_RTTIME to `microseconds`, and the soft one to three quarters of it, if they are higher.
void CLinuxShims_boundRealtimeTime(pid_t process, uint64_t microseconds);

/// Raises this process's RLIMIT_RTPRIO and RLIMIT_MEMLOCK as far as allowed.
void CLinuxShims_raiseRealtimeLimits(void);
/// Raises this process's soft RLIMIT_NOFILE to the hard one.
void CLinuxShims_raiseDescriptorCount(void);
/// Reads the soft limit on a resource; UINT64_MAX without one.
///
/// Returns 0 or -errno.
int CLinuxShims_limit(int resource, uint64_t *soft);
struct pollfd;
/// poll(2) with its time in nanoseconds; -1 waits for ever.
int CLinuxShims_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds);
/// Makes a list of descriptors that a thread waits for together (epoll(7)); returns a descriptor, or -1.
int CLinuxShims_makePollList(void);
/// Adds a descriptor to a list, which reports `tag` while the descriptor can be read.
///
/// Returns 0 or -errno.
int CLinuxShims_addToPollList(int list, int descriptor, uint64_t tag);
/// Removes a descriptor from a list, if it is there.
void CLinuxShims_removeFromPollList(int list, int descriptor);
/// Writes the tags of up to `count` readable descriptors of a list; returns their number.
int CLinuxShims_readyInPollList(int list, uint64_t *tags, int count);
/// Sets the name that the kernel shows for the calling thread, at most 15 bytes.
void CLinuxShims_nameThread(const char *name);

/// Returns a descriptor that counts a thread's system calls from now on, with or without futex calls; or -errno.
///
/// The count is eight bytes to read. `tracepoint` is the kernel's number for raw_syscalls:sys_enter. The descriptor is
/// closed on exec.
int CLinuxShims_systemCallCounter(pid_t thread, uint64_t tracepoint, bool isFutexLeftOut);

/// The arguments of this process, the program's name first, with a null pointer behind the last.
char *const *CLinuxShims_arguments(void);
