// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Numbers of system calls that the headers lack: calls newer than the headers, and calls of older processors only.
#pragma once

#include <sys/syscall.h>

// These numbers are the same on every processor.
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif
#ifndef SYS_process_mrelease
#define SYS_process_mrelease 448
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_map_shadow_stack
#define SYS_map_shadow_stack 453
#endif
#ifndef SYS_futex_wake
#define SYS_futex_wake 454
#endif
#ifndef SYS_futex_wait
#define SYS_futex_wait 455
#endif
#ifndef SYS_futex_requeue
#define SYS_futex_requeue 456
#endif
#ifndef SYS_mseal
#define SYS_mseal 462
#endif

// A placeholder for a call that does not exist: the number never occurs.
#ifndef SYS_access
#define SYS_access -1
#endif
#ifndef SYS_alarm
#define SYS_alarm -1
#endif
#ifndef SYS_arch_prctl
#define SYS_arch_prctl -1
#endif
#ifndef SYS_chmod
#define SYS_chmod -1
#endif
#ifndef SYS_chown
#define SYS_chown -1
#endif
#ifndef SYS_creat
#define SYS_creat -1
#endif
#ifndef SYS_dup2
#define SYS_dup2 -1
#endif
#ifndef SYS_epoll_create
#define SYS_epoll_create -1
#endif
#ifndef SYS_epoll_wait
#define SYS_epoll_wait -1
#endif
#ifndef SYS_eventfd
#define SYS_eventfd -1
#endif
#ifndef SYS_fork
#define SYS_fork -1
#endif
#ifndef SYS_futimesat
#define SYS_futimesat -1
#endif
#ifndef SYS_getdents
#define SYS_getdents -1
#endif
#ifndef SYS_getpgrp
#define SYS_getpgrp -1
#endif
#ifndef SYS_getrlimit
#define SYS_getrlimit -1
#endif
#ifndef SYS_inotify_init
#define SYS_inotify_init -1
#endif
#ifndef SYS_ioperm
#define SYS_ioperm -1
#endif
#ifndef SYS_iopl
#define SYS_iopl -1
#endif
#ifndef SYS_lchown
#define SYS_lchown -1
#endif
#ifndef SYS_link
#define SYS_link -1
#endif
#ifndef SYS_lookup_dcookie
#define SYS_lookup_dcookie -1
#endif
#ifndef SYS_lstat
#define SYS_lstat -1
#endif
#ifndef SYS_mkdir
#define SYS_mkdir -1
#endif
#ifndef SYS_mknod
#define SYS_mknod -1
#endif
#ifndef SYS_modify_ldt
#define SYS_modify_ldt -1
#endif
#ifndef SYS_open
#define SYS_open -1
#endif
#ifndef SYS_pause
#define SYS_pause -1
#endif
#ifndef SYS_pipe
#define SYS_pipe -1
#endif
#ifndef SYS_poll
#define SYS_poll -1
#endif
#ifndef SYS_readlink
#define SYS_readlink -1
#endif
#ifndef SYS_rename
#define SYS_rename -1
#endif
#ifndef SYS_rmdir
#define SYS_rmdir -1
#endif
#ifndef SYS_select
#define SYS_select -1
#endif
#ifndef SYS_setrlimit
#define SYS_setrlimit -1
#endif
#ifndef SYS_signalfd
#define SYS_signalfd -1
#endif
#ifndef SYS_stat
#define SYS_stat -1
#endif
#ifndef SYS_symlink
#define SYS_symlink -1
#endif
#ifndef SYS_time
#define SYS_time -1
#endif
#ifndef SYS_unlink
#define SYS_unlink -1
#endif
#ifndef SYS_utime
#define SYS_utime -1
#endif
#ifndef SYS_utimes
#define SYS_utimes -1
#endif
#ifndef SYS_vfork
#define SYS_vfork -1
#endif
