// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The seccomp filter: the system calls that a plug-in may make. It is installed between the birth of a process and its program.
//
// The filter lists permitted calls, not forbidden ones: a kernel gains new calls every year, and a list of dangers would miss
// them. Native units need very little. Classic ones bring libraries that keep files and memory in their own ways.
//
// Besides permission there are three answers. A call without any honest use in a plug-in ends the process (SIGSYS). A call that
// libraries make but do not need fails with EPERM. A call that is not listed fails with ENOSYS, and the C library then tries an
// older call that is listed.
#define _GNU_SOURCE
#include "SystemCallFilter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CConfinementShims.h"
#include "SystemCallLists.h"

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "Name this processor's AUDIT_ARCH here."
#endif

static void add(struct SystemCallFilter *filter, struct sock_filter instruction) {
  // The last instruction is always an answer. A filter without room for one would allow nothing.
  if (filter->count < SystemCallFilter_capacity) filter->instructions[filter->count++] = instruction;
}

static void answer(struct SystemCallFilter *filter, uint32_t action) {
  add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/// Makes the comparison `jump` continue at the next instruction, either when it is true or when it is false.
static void leadHere(struct SystemCallFilter *filter, unsigned short jump, int isWhenTrue) {
  int distance = filter->count - jump - 1;
  struct sock_filter *comparison = &filter->instructions[jump];
  // A jump cannot reach further. A filter that is so long ends the calling process.
  if (distance > UINT8_MAX) *comparison = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  else if (isWhenTrue) comparison->jt = (uint8_t)distance;
  else comparison->jf = (uint8_t)distance;
}

/// Answers by number, found by bisection. When the kernel installs a filter, it tries every number on it. A sequence of three
/// hundred comparisons would take as long there as starting the process.
enum { numberCount = 512 };
struct Answers {
  uint32_t actions[numberCount];
};

static void setEach(struct Answers *answers, const short *calls, size_t count, uint32_t action) {
  for (size_t index = 0; index < count; index++) {
    if (calls[index] >= 0 && calls[index] < numberCount) answers->actions[calls[index]] = action;
  }
}

/// A jump at the end of the bisection, which must lead to an answer.
struct Arrival {
  unsigned short jump;
  int isWhenTrue;
  uint32_t action;
};

/// The bisection. Each answer follows the comparisons once, so that each half needs one instruction.
struct Halving {
  const struct Answers *answers;
  struct Arrival arrivals[numberCount];
  size_t arrivalCount;
};

static int isUniform(const struct Answers *answers, uint32_t first, uint32_t last) {
  while (first < last && answers->actions[first] == answers->actions[last]) last--;
  return first == last;
}

static void halve(struct SystemCallFilter *filter, struct Halving *halving, uint32_t first, uint32_t last);

/// One side of the comparison `jump`: the answer, if all its numbers share one, or the next comparison.
static void halveSide(struct SystemCallFilter *filter, struct Halving *halving, unsigned short jump, int isWhenTrue,
                      uint32_t first, uint32_t last) {
  if (isUniform(halving->answers, first, last)) {
    halving->arrivals[halving->arrivalCount++] = (struct Arrival){jump, isWhenTrue, halving->answers->actions[first]};
    return;
  }
  leadHere(filter, jump, isWhenTrue);
  halve(filter, halving, first, last);
}

/// Compares the loaded number with a boundary between two answers, near the middle of `first` to `last`. The range must have
/// several answers.
static void halve(struct SystemCallFilter *filter, struct Halving *halving, uint32_t first, uint32_t last) {
  const uint32_t *actions = halving->answers->actions;
  uint32_t middle = first + (last - first) / 2 + 1;
  while (middle < last && actions[middle] == actions[middle - 1]) middle++;
  while (actions[middle] == actions[middle - 1]) middle--;
  unsigned short jump = filter->count;
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, middle, 0, 0));
  halveSide(filter, halving, jump, 0, first, middle - 1);
  halveSide(filter, halving, jump, 1, middle, last);
}

/// Answers by the loaded number, with the filter's last instructions.
static void answerNumbers(struct SystemCallFilter *filter, const struct Answers *answers) {
  struct Halving halving = {.answers = answers};
  if (isUniform(answers, 0, numberCount - 1)) return answer(filter, answers->actions[0]);
  halve(filter, &halving, 0, numberCount - 1);
  for (size_t index = 0; index < halving.arrivalCount; index++) {
    uint32_t action = halving.arrivals[index].action;
    size_t earlier = 0;
    while (halving.arrivals[earlier].action != action) earlier++;
    if (earlier < index) continue;
    for (size_t each = index; each < halving.arrivalCount; each++) {
      if (halving.arrivals[each].action == action) leadHere(filter, halving.arrivals[each].jump, halving.arrivals[each].isWhenTrue);
    }
    answer(filter, action);
  }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define REFUSE (SECCOMP_RET_ERRNO | EPERM)

/// Loads the low half of an argument; most of the tested arguments fit in it.
static void loadArgument(struct SystemCallFilter *filter, int index) {
  uint32_t offset = (uint32_t)(offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)index);
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

/// Loads the high half of an argument. All supported processors store the low half first.
static void loadHighArgument(struct SystemCallFilter *filter, int index) {
  uint32_t offset = (uint32_t)(offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)index + sizeof(uint32_t));
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset));
}

/// Answers `call` by one argument: permission if it is one of `values`.
static void allowValues(struct SystemCallFilter *filter, int call, int argument, const uint32_t *values, size_t count,
                        uint32_t otherwise) {
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, (uint8_t)(2 * count + 2)));
  loadArgument(filter, argument);
  for (size_t index = 0; index < count; index++) {
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, values[index], 0, 1));
    answer(filter, SECCOMP_RET_ALLOW);
  }
  answer(filter, otherwise);
}

struct Range {
  uint32_t first, last;
};

/// Answers `call` by one argument: permission if it lies in one of `ranges`, which are in rising order.
static void allowRanges(struct SystemCallFilter *filter, int call, int argument, const struct Range *ranges, uint8_t count,
                        uint32_t otherwise) {
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 2 * count + 3));
  loadArgument(filter, argument);
  for (uint8_t index = 0; index < count; index++) {
    // The distance to the refusal, for a value before a range, equals the distance to the permission, for a value not after it.
    const uint8_t distance = 2 * (count - index) - 1;
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, ranges[index].first, 0, distance));
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, ranges[index].last, 0, distance));
  }
  answer(filter, otherwise);
  answer(filter, SECCOMP_RET_ALLOW);
}

/// Requires write access for a file that is emptied on opening. Before its third version, Landlock lets a process empty a file
/// that it may only read. `flags` is the number of the argument.
static void refuseEmptyingUnwritten(struct SystemCallFilter *filter, int call, int flags) {
  if (call < 0) return;
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 7));
  loadArgument(filter, flags);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TRUNC, 0, 4));
  add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_ACCMODE));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_WRONLY, 2, 0));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_RDWR, 1, 0));
  answer(filter, REFUSE);
  answer(filter, SECCOMP_RET_ALLOW);
}

/// Allows the socket options that limit the waiting time of a call. Other options set the kernel memory of a socket, or filter
/// in the kernel.
static void allowTimeouts(struct SystemCallFilter *filter) {
  const uint32_t options[] = {20 /* SO_RCVTIMEO */, 21 /* SO_SNDTIMEO */, 66 /* SO_RCVTIMEO_NEW */, 67 /* SO_SNDTIMEO_NEW */};
  const uint8_t count = COUNT(options);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setsockopt, 0, count + 5));
  loadArgument(filter, 1);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOL_SOCKET, 0, count + 1));
  loadArgument(filter, 2);
  for (uint8_t index = 0; index < count; index++) {
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, options[index], count - index, 0));
  }
  answer(filter, REFUSE);
  answer(filter, SECCOMP_RET_ALLOW);
}

/// Allows reading all limits, and lowering the process's own ones except the one on core dumps. With a limit of 0 there, the
/// kernel would start the machine's crash handler again.
static void allowOwnLimits(struct SystemCallFilter *filter, uint32_t ownProcess) {
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 11));
  loadArgument(filter, 1);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RLIMIT_CORE, 0, 4));
  loadArgument(filter, 2);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 6));
  loadHighArgument(filter, 2);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 4));
  loadArgument(filter, 0);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ownProcess, 0, 1));
  answer(filter, SECCOMP_RET_ALLOW);
  answer(filter, REFUSE);
}

/// Allows new threads, but no processes or namespaces: a plug-in's child process may outlive it or multiply.
static void allowThreads(struct SystemCallFilter *filter) {
  const uint32_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                              CLONE_NEWNET;
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 5));
  loadArgument(filter, 0);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, namespaces, 2, 0));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1));
  answer(filter, SECCOMP_RET_ALLOW);
  answer(filter, REFUSE);
}

/// Allows connected pairs of sockets, which lead nowhere else. Pairs of datagram sockets are refused: they can still send to an
/// address.
static void allowConnectedPairs(struct SystemCallFilter *filter) {
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 0, 8));
  loadArgument(filter, 0);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 5));
  loadArgument(filter, 1);
  add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xF));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 1, 0));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_SEQPACKET, 0, 1));
  answer(filter, SECCOMP_RET_ALLOW);
  answer(filter, REFUSE);
}

/// Allows waiting and waking on all futexes, and other operations on private ones only. A requeue could move a thread from a
/// doorbell to another futex that is never rung.
static void allowFutexes(struct SystemCallFilter *filter) {
  const uint32_t operations[] = {FUTEX_WAIT, FUTEX_WAKE, FUTEX_WAKE_OP, FUTEX_WAIT_BITSET, FUTEX_WAKE_BITSET};
  const uint8_t count = COUNT(operations);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, count + 5));
  loadArgument(filter, 1);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, FUTEX_PRIVATE_FLAG, count + 2, 0));
  add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, FUTEX_CMD_MASK));
  for (uint8_t index = 0; index < count; index++) {
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, operations[index], count - index, 0));
  }
  answer(filter, REFUSE);
  answer(filter, SECCOMP_RET_ALLOW);
}

void SystemCallFilter_make(struct SystemCallFilter *filter, int keepsFiles, int hasOwnRoot, uint32_t ownProcess) {
  filter->count = 0;
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
  // System call numbers have other meanings in a program of another architecture.
  answer(filter, SECCOMP_RET_KILL_PROCESS);
  add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
#if defined(__x86_64__)
  // Programs with 32-bit pointers set this bit, and have other numbers, too. A number with the highest bit set, such as -1, is
  // not a call.
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x80000000, 2, 0));
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x40000000, 0, 1));
  answer(filter, SECCOMP_RET_KILL_PROCESS);
#endif
  allowThreads(filter);
  allowFutexes(filter);
  // Signals to the process itself: the C library aborts and cancels threads with them.
  allowValues(filter, SYS_kill, 0, &ownProcess, 1, REFUSE);
  allowValues(filter, SYS_tgkill, 0, &ownProcess, 1, REFUSE);
  allowValues(filter, SYS_rt_sigqueueinfo, 0, &ownProcess, 1, REFUSE);
  allowValues(filter, SYS_rt_tgsigqueueinfo, 0, &ownProcess, 1, REFUSE);
  allowOwnLimits(filter, ownProcess);
  allowConnectedPairs(filter);
  const uint32_t options[] = {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_SET_TIMERSLACK, PR_GET_TIMERSLACK,
                              PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS, 0x53564d41 /* PR_SET_VMA */};
  allowValues(filter, SYS_prctl, 0, options, COUNT(options), REFUSE);
  // Terminal queries and the number of readable bytes. Requests that type into a terminal (TIOCSTI, TIOCLINUX) are absent on
  // purpose.
  const uint32_t requests[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};
  allowValues(filter, SYS_ioctl, 1, requests, COUNT(requests), SECCOMP_RET_ERRNO | ENOTTY);
  // Copies, flags and locks; the owner; hints and seals. The size of a pipe can only be read: all pipes of a user share one
  // limit.
  //
  // Some commands are absent on purpose. An owner would get signals from the kernel in this process's name. A lease, and a
  // delegation on newer kernels, keeps others from opening a file.
  const struct Range commands[] = {
      {F_DUPFD, F_SETLKW}, {F_GETOWN, F_GETOWN}, {F_GETOWN_EX, F_GETOWN_EX}, {F_OFD_GETLK, F_OFD_SETLKW},
      {F_GETLEASE, F_GETLEASE}, {1027 /* F_DUPFD_QUERY */, F_DUPFD_CLOEXEC}, {F_GETPIPE_SZ, 1038 /* F_SET_FILE_RW_HINT */},
  };
  allowRanges(filter, SYS_fcntl, 1, commands, COUNT(commands), REFUSE);
  // Room for a file. The contents of a file stay: the host and the neighbours share memory with this process by files.
  const uint32_t modes[] = {0, FALLOC_FL_KEEP_SIZE};
  allowValues(filter, SYS_fallocate, 1, modes, COUNT(modes), REFUSE);
  // Advice about memory that changes no contents for others. Advice that frees the pages of a file, or takes pages from the
  // machine, is absent. Such advice counts as invalid, like unknown advice.
  const struct Range advices[] = {
      {MADV_NORMAL, MADV_DONTNEED}, {MADV_FREE, MADV_FREE}, {MADV_DONTFORK, MADV_DOFORK},
      {MADV_HUGEPAGE, MADV_KEEPONFORK}, {22 /* MADV_POPULATE_READ */, 23 /* MADV_POPULATE_WRITE */},
      {25 /* MADV_COLLAPSE */, 25}, {102 /* MADV_GUARD_INSTALL */, 103 /* MADV_GUARD_REMOVE */},
  };
  allowRanges(filter, SYS_madvise, 2, advices, COUNT(advices), SECCOMP_RET_ERRNO | EINVAL);
  allowTimeouts(filter);
  // Only without its own root: a test of arguments slows each call slightly, while a number alone costs nothing.
  if (!hasOwnRoot) {
    refuseEmptyingUnwritten(filter, SYS_open, 1);
    refuseEmptyingUnwritten(filter, SYS_openat, 2);
  }
  struct Answers answers;
  for (int number = 0; number < numberCount; number++) answers.actions[number] = SECCOMP_RET_ERRNO | ENOSYS;
  setEach(&answers, harmless, COUNT(harmless), SECCOMP_RET_ALLOW);
  setEach(&answers, keepingFiles, COUNT(keepingFiles), keepsFiles ? SECCOMP_RET_ALLOW : REFUSE);
  setEach(&answers, reachingByName, COUNT(reachingByName), keepsFiles && hasOwnRoot ? SECCOMP_RET_ALLOW : REFUSE);
  // Its flags lie in memory, which a filter cannot read. Its callers can fall back to older calls.
  if (!hasOwnRoot) answers.actions[SYS_openat2] = SECCOMP_RET_ERRNO | ENOSYS;
  setEach(&answers, refused, COUNT(refused), REFUSE);
  setEach(&answers, deadly, COUNT(deadly), SECCOMP_RET_KILL_PROCESS);
  add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, numberCount, 0, 1));
  answer(filter, SECCOMP_RET_ERRNO | ENOSYS);
  answerNumbers(filter, &answers);
}

int CConfinementShims_hasSystemCallFilters(void) {
  uint32_t action = SECCOMP_RET_KILL_PROCESS;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}
