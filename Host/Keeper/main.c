// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The keeper, first process of an extension's PID namespace: when the host closes a pipe, it ends every process in it.
//
// When the first process of a PID namespace ends, the kernel ends every other process in it. That includes processes that left
// their group and session, and holds for any end of the host. If the kernel makes no such namespaces, the keeper belongs to the
// extension's process group instead, and ends that. Its standard input is a pipe whose other end only the host has.
//
// A stopped keeper notices nothing. So it has the kernel send it SIGCONT when the pipe hangs up: that makes a stopped process go on,
// even one that ignores the signal.
//
// It is C without a C library, because one keeper is started with every extension. So it costs a page or two, and almost no
// time.
#include <linux/fcntl.h>
#include <linux/poll.h>
#include <linux/prctl.h>
#include <stddef.h>

#define SA_NOCLDWAIT 2ul

#if defined(__x86_64__)
enum { exitGroup = 231, ppoll = 271, processControl = 157, signalAction = 13, sendSignal = 62, processNumber = 39, fileControl = 72 };
static long call(long number, long a, long b, long c, long d, long e) {
  register long fourth __asm__("r10") = d, fifth __asm__("r8") = e;
  __asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth) : "rcx", "r11", "memory");
  return number;
}
#elif defined(__aarch64__)
enum { exitGroup = 94, ppoll = 73, processControl = 167, signalAction = 134, sendSignal = 129, processNumber = 172, fileControl = 25 };
static long call(long number, long a, long b, long c, long d, long e) {
  register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
                     x3 __asm__("x3") = d, x4 __asm__("x4") = e;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return x0;
}
#else
#error "Say here how this processor makes a system call."
#endif

/// The kernel's form of a signal action. There is no handler: children that end are reaped at once.
struct action {
  const void *handler;
  unsigned long flags;
  void *restorer;
  unsigned long mask;
};

// The kernel starts the program here, so the stack is not aligned as after a call.
#if defined(__x86_64__)
__attribute__((force_align_arg_pointer))
#endif
void _start(void) {
  enum { childSignal = 17, killSignal = 9, continueSignal = 18, ownGroup = 0, first = 1, notDumpable = 0, interrupted = -4 };
  const struct action ignore = {(const void *)1, SA_NOCLDWAIT, NULL, 0};
  call(processControl, PR_SET_DUMPABLE, notDumpable, 0, 0, 0);
  call(signalAction, childSignal, (long)&ignore, 0, sizeof ignore.mask, 0);
  // The pipe is its own: no other process has this end.
  call(fileControl, 0, F_SETOWN, call(processNumber, 0, 0, 0, 0, 0), 0, 0);
  call(fileControl, 0, F_SETSIG, continueSignal, 0, 0);
  call(fileControl, 0, F_SETFL, FASYNC, 0, 0);
  // No event is requested: a hang-up is reported anyway.
  struct pollfd lifeline = {0, 0, 0};
  while (call(ppoll, (long)&lifeline, 1, 0, 0, 0) == interrupted) {
  }
  if (call(processNumber, 0, 0, 0, 0, 0) != first) call(sendSignal, ownGroup, killSignal, 0, 0, 0);
  call(exitGroup, 0, 0, 0, 0, 0);
  __builtin_unreachable();
}
