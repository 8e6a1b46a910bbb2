// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The system calls by their answers, if the number alone decides. A call in no list is answered as if it did not exist.
#pragma once

#include "SystemCallNumbers.h"

/// The calls that every unit may make, with any arguments.
static const short harmless[] = {
    // Memory. Files in memory (memfd_create) are absent: no process is charged for their contents, even in transit through a
    // socket.
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_msync, SYS_mincore, SYS_mlock,
    SYS_mlock2, SYS_munlock, SYS_mlockall, SYS_munlockall, SYS_membarrier, SYS_pkey_alloc, SYS_pkey_free,
    SYS_pkey_mprotect, SYS_mseal, SYS_map_shadow_stack,
    // Threads, and how they wait for each other.
    SYS_futex_waitv, SYS_futex_wake, SYS_futex_wait, SYS_set_robust_list,
    SYS_get_robust_list, SYS_rseq, SYS_set_tid_address, SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getparam,
    SYS_sched_getscheduler, SYS_sched_getattr, SYS_sched_get_priority_max, SYS_sched_get_priority_min,
    SYS_sched_rr_get_interval, SYS_getcpu, SYS_getpriority, SYS_exit, SYS_exit_group, SYS_arch_prctl,
    SYS_restart_syscall,
    // Signals to the process itself.
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigtimedwait, SYS_rt_sigpending,
    SYS_rt_sigsuspend, SYS_sigaltstack, SYS_pause, SYS_signalfd, SYS_signalfd4,
    // Time.
    SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_time, SYS_times,
    SYS_alarm, SYS_setitimer, SYS_getitimer, SYS_timer_create, SYS_timer_settime, SYS_timer_gettime,
    SYS_timer_getoverrun, SYS_timer_delete, SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime,
    // The process itself: its number, user, machine and limits.
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid,
    SYS_getresgid, SYS_getgroups, SYS_getpgrp, SYS_getpgid, SYS_getsid, SYS_uname, SYS_sysinfo, SYS_getrusage,
    SYS_getrlimit, SYS_capget, SYS_getrandom, SYS_getcwd,
    // Files that are open, or that Landlock and the mount namespace allow it to open.
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev, SYS_preadv2,
    SYS_pwritev2, SYS_open, SYS_openat, SYS_openat2, SYS_close, SYS_close_range, SYS_lseek, SYS_fstat, SYS_stat,
    SYS_lstat, SYS_newfstatat, SYS_statx, SYS_access, SYS_faccessat, SYS_faccessat2, SYS_readlink, SYS_readlinkat,
    SYS_getdents, SYS_getdents64, SYS_statfs, SYS_fstatfs, SYS_ftruncate, SYS_fsync, SYS_fdatasync,
    SYS_fadvise64, SYS_readahead, SYS_flock, SYS_copy_file_range, SYS_sendfile, SYS_splice, SYS_tee, SYS_dup,
    SYS_dup2, SYS_dup3, SYS_umask, SYS_chdir, SYS_fchdir,
    // Waiting for descriptors.
    SYS_poll, SYS_ppoll, SYS_select, SYS_pselect6, SYS_epoll_create, SYS_epoll_create1, SYS_epoll_ctl,
    SYS_epoll_wait, SYS_epoll_pwait, SYS_epoll_pwait2, SYS_eventfd, SYS_eventfd2, SYS_pipe, SYS_pipe2,
    // The control channel, and connected pairs of sockets.
    SYS_sendmsg, SYS_recvmsg, SYS_sendto, SYS_recvfrom, SYS_sendmmsg, SYS_recvmmsg, SYS_shutdown, SYS_getsockopt,
    SYS_getsockname, SYS_getpeername,
    // The program itself. Another program that Landlock and the mount namespace allow it to run is confined as well.
    SYS_execve, SYS_wait4, SYS_waitid,
};

/// The further calls of standard units: for their own files, and for the location of their memory.
static const short keepingFiles[] = {
    // Names.
    SYS_mkdir, SYS_mkdirat, SYS_rmdir, SYS_unlink, SYS_unlinkat, SYS_rename, SYS_renameat, SYS_renameat2,
    SYS_symlink, SYS_symlinkat, SYS_link, SYS_linkat, SYS_creat,
    // Extended attributes of files.
    SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr, SYS_llistxattr, SYS_flistxattr,
    // The location of memory.
    SYS_get_mempolicy, SYS_set_mempolicy, SYS_mbind,
};

/// The further calls of standard units with their own root: Landlock, or an old version of it, does not limit them to permitted
/// files.
static const short reachingByName[] = {
    SYS_truncate, SYS_utime, SYS_utimes, SYS_utimensat, SYS_futimesat,
};

/// The calls that fail with EPERM, as if the user lacked the right.
static const short refused[] = {
    // Sockets that lead to other processes or machines.
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
    // Processes.
    SYS_fork, SYS_vfork, SYS_execveat, SYS_futex_requeue, SYS_tkill, SYS_setsid, SYS_setpgid,
    // Ranks and processors: the host assigns them.
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_sched_setaffinity, SYS_setpriority,
    SYS_ioprio_set, SYS_ioprio_get, SYS_setrlimit,
    // The rights to a file: memory that was passed for reading stays read-only.
    SYS_chmod, SYS_fchmod, SYS_fchmodat, SYS_fchmodat2, SYS_chown, SYS_fchown, SYS_lchown, SYS_fchownat,
    SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_mknod,
    SYS_mknodat,
    // The process's users, groups and capabilities.
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setfsuid, SYS_setfsgid,
    SYS_setgroups, SYS_capset, SYS_personality,
    // Memory and messages of the whole machine.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_shmdt, SYS_semget, SYS_semop, SYS_semctl, SYS_semtimedop, SYS_msgget,
    SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink, SYS_mq_timedsend, SYS_mq_timedreceive,
    SYS_mq_notify, SYS_mq_getsetattr, SYS_remap_file_pages,
    SYS_memfd_secret,
    // Watches of files: a user has few, and other programs need them.
    SYS_inotify_init, SYS_inotify_init1, SYS_inotify_add_watch, SYS_inotify_rm_watch,
    // Large parts of the kernel that audio does not need.
    SYS_keyctl, SYS_add_key, SYS_request_key, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup,
    SYS_io_uring_enter, SYS_io_uring_register, SYS_seccomp, SYS_landlock_create_ruleset, SYS_landlock_add_rule,
    SYS_landlock_restrict_self, SYS_fanotify_init, SYS_fanotify_mark, SYS_syslog, SYS_vhangup, SYS_modify_ldt,
    SYS_vmsplice, SYS_migrate_pages, SYS_move_pages, SYS_pidfd_open, SYS_pidfd_send_signal, SYS_io_setup,
    SYS_io_submit, SYS_io_getevents, SYS_io_destroy, SYS_io_cancel, SYS_cachestat,
};

/// The calls that end the process.
static const short deadly[] = {
    // Other processes.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise, SYS_process_mrelease,
    SYS_pidfd_getfd, SYS_kcmp,
    // Mounts and namespaces.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree, SYS_move_mount, SYS_fsopen, SYS_fsconfig,
    SYS_fsmount, SYS_fspick, SYS_mount_setattr, SYS_setns, SYS_unshare, SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    // The kernel and the machine.
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load, SYS_bpf, SYS_reboot,
    SYS_swapon, SYS_swapoff, SYS_iopl, SYS_ioperm, SYS_acct, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
    SYS_adjtimex, SYS_sethostname, SYS_setdomainname, SYS_quotactl, SYS_quotactl_fd, SYS_lookup_dcookie,
};
