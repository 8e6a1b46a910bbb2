// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// System calls that Swift cannot make by itself: variadic ones, those without a C wrapper, and macros.
//
// Functions return a negative errno on failure. Those marked vouched may be called while rendering:
// each is one system call that does not block beyond its stated bound.
#pragma once

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#define CLINUX_VOUCHED __attribute__((swift_attr("@_noLocks")))

/// Sleeps while `*word == expected`, at most until `deadlineNanoseconds` (CLOCK_MONOTONIC; 0: no limit).
/// 0 when woken or when the word differs, -ETIMEDOUT, -EINTR. Shared between processes.
CLINUX_VOUCHED int CLinuxShims_futexWait(uint32_t *word, uint32_t expected, uint64_t deadlineNanoseconds);

/// Wakes up to `count` sleepers on `word`, in any process.
CLINUX_VOUCHED int CLinuxShims_futexWake(uint32_t *word, int count);

/// CLOCK_MONOTONIC in nanoseconds.
CLINUX_VOUCHED uint64_t CLinuxShims_monotonicNanoseconds(void);

/// The processor's own counter, which runs at an even pace; on processors without one, nanoseconds.
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

/// Has the processor fetch a line of the cache that it is going to write to, and take it from whichever other one has it.
CLINUX_VOUCHED static inline void CLinuxShims_prefetchForWriting(const void *address) {
#if defined(__x86_64__)
  // By its name: a compiler for any x86-64 makes of the builtin one for reading. Where there is none it does nothing.
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
/// F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL
int CLinuxShims_sizeSeals(void);
/// F_SEAL_WRITE, for memory that nobody changes any more.
int CLinuxShims_writeSeal(void);
/// The same file, opened for reading only.
int CLinuxShims_reopenReadOnly(int descriptor);

/// A descriptor that names a file and reads nothing; closed on exec. -errno.
int CLinuxShims_openPath(const char *path);
/// Both ends of a pipe, closed on exec. 0 or -errno.
int CLinuxShims_pipe(int *ends);

/// An eventfd that nobody waits at, closed on exec. -errno.
int CLinuxShims_eventDescriptor(void);
/// Adds 1 to an eventfd, and wakes whoever polls it. It never waits.
CLINUX_VOUCHED void CLinuxShims_ringEvent(int descriptor);

/// A timer on the processor time of another process, from the call on: once it has run for `nanoseconds`, `signal` waits for the
/// calling thread, which has to have it blocked. 0 or -errno.
int CLinuxShims_startProcessorTimer(pid_t process, int signal, uint64_t nanoseconds, uintptr_t *timer);
void CLinuxShims_deleteTimer(uintptr_t timer);
/// Blocks a real-time signal that nobody else uses, for the calling thread; a descriptor that can be read while it waits
/// there, by that thread, or -errno.
int CLinuxShims_blockedSignalDescriptor(int *signal);

int CLinuxShims_pidfdOpen(pid_t pid);
int CLinuxShims_pidfdSendSignal(int pidfd, int signal);
pid_t CLinuxShims_threadIdentifier(void);
/// 0 if `process` has a thread of that number, else -ESRCH. Takes no lock that a thread holds while it ends.
CLINUX_VOUCHED int CLinuxShims_findThread(pid_t process, pid_t thread);

/// Registers two futexes to be handled by the kernel should this thread die: `lifeline`, which holds
/// the thread's id and gets FUTEX_OWNER_DIED, and then `doorbell`, whose sleeper is woken (its low 30
/// bits must be zero). `list` is three pointers of storage that live as long as the thread.
int CLinuxShims_registerLifeline(void *list, uint32_t *lifeline, uint32_t *doorbell);

/// Gives the calling thread an empty list.
void CLinuxShims_withdrawLifeline(void);

/// Sends one datagram with descriptors. -EAGAIN when there is no room for it; never blocks.
ssize_t CLinuxShims_send(int socket, const void *head, size_t headByteCount, const void *body, size_t bodyByteCount,
                         const int *descriptors, int descriptorCount);
/// Receives one datagram and its descriptors (close-on-exec). -EMSGSIZE when it was longer than the buffer.
ssize_t CLinuxShims_receive(int socket, void *buffer, size_t capacity, int *descriptors, int *descriptorCount);

/// Has the kernel begin to write to the disk what has been written to a file, and returns before it has done so.
void CLinuxShims_beginWriting(int file);

/// Of resources whose names are macros.
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
/// Binds a thread to one processor. Waits for the scheduler if the thread runs elsewhere, so that only who renders offline may call it
/// while rendering.
CLINUX_VOUCHED int CLinuxShims_bindThread(pid_t thread, int processor);
int CLinuxShims_processors(pid_t thread, uint64_t *mask, size_t wordCount);
/// Raises RLIMIT_RTTIME of a process to so many microseconds, if it is lower, as far as it may.
void CLinuxShims_raiseRealtimeTime(pid_t process, uint64_t microseconds);
/// Lowers the hard RLIMIT_RTTIME of a process to so many microseconds, and the soft one to three quarters, if they are higher.
void CLinuxShims_boundRealtimeTime(pid_t process, uint64_t microseconds);

/// Raises RLIMIT_RTPRIO and RLIMIT_MEMLOCK of this process as far as it may.
void CLinuxShims_raiseRealtimeLimits(void);
/// Raises the soft RLIMIT_NOFILE of this process to the hard one.
void CLinuxShims_raiseDescriptorCount(void);
/// The soft limit on a resource; UINT64_MAX without one. 0 or -errno.
int CLinuxShims_limit(int resource, uint64_t *soft);
struct pollfd;
/// poll(2) with its time in nanoseconds: -1 for no end.
int CLinuxShims_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds);
/// The name that the kernel shows for the calling thread, 15 bytes at most.
void CLinuxShims_nameThread(const char *name);

/// A descriptor that counts the system calls of a thread from now on, those that are no futex alone or all of them; eight bytes
/// are read from it. `tracepoint` is the kernel's number for raw_syscalls:sys_enter. Closed on exec. -errno.
int CLinuxShims_systemCallCounter(pid_t thread, uint64_t tracepoint, bool isFutexLeftOut);
