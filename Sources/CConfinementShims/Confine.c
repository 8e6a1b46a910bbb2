// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Starts a process that is confined before the first byte of its program runs. The calling thread waits until the program runs.
//
// The confinement happens between birth and program, not in the launcher. An extension may be any program, the launcher lies in
// the extension's bundle, and a library's constructors run before the launcher's first line.
//
// The processes below take part. Each of them borrows this process's memory until it ends or becomes a program, so that no page
// table is copied; see Spawning.h. Doorman and usher also share this process's descriptors, because a host of many plug-ins has
// thousands; they close the descriptors that they open.
//
//   doorman    enters the network namespace that extensions share, if there is one, starts the usher, and ends
//   usher      starts their session, is born into the namespaces, builds the root folder, starts the other two, and ends
//   keeper     becomes the first process of the PID namespace; when it ends, the kernel ends all processes of the namespace.
//              Without such a namespace it starts last, joins the extension's process group, and ends that group when the host
//              has ended
//   extension  gives up every right and becomes the program; its parent is this process, as that of any child
//
// The extension itself is not the first process, because a first process cannot be ended by its own signals. There abort()
// would look like another crash, and kill(getpid()) would do nothing.
#define _GNU_SOURCE
#include "CConfinementShims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Namespaces.h"
#include "Root.h"
#include "Spawning.h"
#include "SystemCallFilter.h"

/// The state that these processes share with this one. They run one after another.
struct Birth {
  const char *path;
  char *const *arguments;
  char *const *environment;
  struct Spawning_Descriptors descriptors;
  const struct CConfinementShims_Confinement *confinement;
  struct CConfinementShims_Confined result;
  uid_t user;
  gid_t group;
  pid_t usher;
  int error;
  struct SystemCallFilter filter;
  char doormanStack[Spawning_stackByteCount] __attribute__((aligned(16)));
  char usherStack[Spawning_stackByteCount] __attribute__((aligned(16)));
  char keeperStack[Spawning_stackByteCount] __attribute__((aligned(16)));
  char extensionStack[Spawning_stackByteCount] __attribute__((aligned(16)));
};

static int fail(struct Birth *birth, const char *step, int error) {
  birth->result.failedStep = step;
  birth->error = error;
  return 127;
}

static int enterRoot(struct Birth *birth, int hasOwnProcesses) {
  if (!(birth->confinement->namespaces & CLONE_NEWNS)) return 0;
  // Some containers hide parts of /proc, and the kernel then refuses a /proc that would show them. No /proc is the safer choice.
  if (birth->confinement->hasProcesses && hasOwnProcesses) {
    // Landlock prevents writes to the machine's settings, which root could do otherwise.
    birth->result.hasProcesses = Root_showProcesses(birth->confinement->ruleset >= 0) >= 0;
  }
  return Root_enter();
}

/// Prevents every program that is started from now on from gaining capabilities, even if root owns its file. Children inherit
/// it.
static void boundCapabilities(void) {
  prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                               SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED);
  // The loop ends after the last capability. Without the right to drop one, the first call fails, as all others would.
  for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) >= 0; capability++) {
  }
}

/// Gives up every capability for good, even over its own namespaces.
static int dropCapabilities(void) {
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0}};
  return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}

static int beKeeper(void *context) {
  struct Birth *birth = context;
  int isFirst = (birth->confinement->namespaces & CLONE_NEWPID) != 0;
  if (setpgid(0, isFirst ? 0 : birth->result.process) < 0) return fail(birth, "have its keeper join it", errno);
  int result = isFirst ? enterRoot(birth, 1) : 0;
  if (result < 0) return fail(birth, "enter its root folder", -result);
  result = dropCapabilities();
  if (result < 0) return fail(birth, "take its keeper's capabilities", -result);
  char *arguments[] = {"bulkhead-keeper", NULL}, *environment[] = {NULL};
  int keeper = birth->confinement->keeper;
  // In a host without standard input, 0 may be one of these two. Then the pipe would be closed, or the program overwritten.
  if (birth->confinement->keeperLifeline == 0) fcntl(0, F_SETFD, 0);
  if (keeper == 0 && (keeper = fcntl(0, F_DUPFD, 1)) < 0) return fail(birth, "start the keeper of its processes", errno);
  dup2(birth->confinement->keeperLifeline, 0);
  syscall(SYS_close_range, 1u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
  syscall(SYS_execveat, keeper, "", arguments, environment, AT_EMPTY_PATH);
  return fail(birth, "start the keeper of its processes", errno);
}

static int limitResources(const struct CConfinementShims_Confinement *confinement) {
  for (size_t index = 0; index < confinement->limitCount; index++) {
    const struct CConfinementShims_Limit *wanted = &confinement->limits[index];
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)wanted->resource, &limit) < 0) return -errno;
    // A limit is never raised here: a plug-in may not exceed the limits of the host.
    if (wanted->hard < limit.rlim_max) limit.rlim_max = wanted->hard;
    // The limit on core dumps is 1, not 0: the kernel starts the machine's crash handler unless it is 1.
    if (wanted->soft < limit.rlim_cur || wanted->resource == RLIMIT_CORE) limit.rlim_cur = wanted->soft;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    if (setrlimit((__rlimit_resource_t)wanted->resource, &limit) < 0) return -errno;
  }
  return 0;
}

static int allowInRoot(const struct CConfinementShims_Confinement *confinement, const char *path, int access) {
  int folder = open(path, O_PATH | O_CLOEXEC);
  if (folder < 0) return -errno;
  int result = CConfinementShims_landlockAllow(confinement->ruleset, confinement->rulesetVersion, folder, access, 1);
  close(folder);
  return result;
}

static int restrictFiles(struct Birth *birth) {
  const struct CConfinementShims_Confinement *confinement = birth->confinement;
  if (confinement->ruleset < 0) return 0;
  int result = 0;
  if (confinement->namespaces & CLONE_NEWNS && confinement->temporaryByteCount > 0) {
    result = allowInRoot(confinement, "/tmp", CConfinementShims_accessKeep);
  }
  for (size_t index = 0; result >= 0 && index < confinement->folderCount; index++) {
    result = allowInRoot(confinement, confinement->folders[index], CConfinementShims_accessRead);
  }
  if (result >= 0 && birth->result.hasProcesses) result = allowInRoot(confinement, "/proc", CConfinementShims_accessRead);
  if (result < 0) return result;
  return CConfinementShims_landlockRestrict(confinement->ruleset);
}

static int filterSystemCalls(struct Birth *birth) {
  if (birth->confinement->systemCalls == 0) return 0;
  int hasOwnRoot = (birth->confinement->namespaces & CLONE_NEWNS) != 0;
  SystemCallFilter_make(&birth->filter, birth->confinement->systemCalls > 1, hasOwnRoot, (uint32_t)getpid());
  struct sock_fprog program = {birth->filter.count, birth->filter.instructions};
  // Kernels before 5.16 would slow every filtered program down to guard it from its own speculation.
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
  return result < 0 ? -errno : 0;
}

static int beExtension(void *context) {
  struct Birth *birth = context;
  setpgid(0, 0);
  // The working folder is still the host's, in the old root, and ".." leads everywhere from there.
  if (chdir("/") < 0) return fail(birth, "enter its root folder", errno);
  int result = dropCapabilities();
  if (result < 0) return fail(birth, "take its capabilities", -result);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return fail(birth, "keep it from new privileges", errno);
  result = restrictFiles(birth);
  if (result < 0) return fail(birth, "restrict the files that it reaches", -result);
  umask(077);
  result = Spawning_takeDescriptors(&birth->descriptors);
  if (result < 0) return fail(birth, "give it its descriptors", -result);
  Spawning_resetSignals();
  // Not earlier: until here the process also had the host's descriptors, perhaps more than its limit allows.
  result = limitResources(birth->confinement);
  if (result < 0) return fail(birth, "limit its resources", -result);
  result = filterSystemCalls(birth);
  if (result < 0) return fail(birth, "filter its system calls", -result);
  execve(birth->path, birth->arguments, birth->environment);
  return fail(birth, NULL, errno);
}

static int startKeeper(struct Birth *birth) {
  pid_t keeper = Spawning_bear(beKeeper, birth->keeperStack, CLONE_PARENT, birth);
  if (keeper < 0) return fail(birth, "start the keeper of its processes", -keeper);
  birth->result.keeper = keeper;
  return birth->error ? 127 : 0;
}

/// Makes the PID namespace, and starts keeper and extension. Only children that are born after that are in the namespace.
static int startProcesses(struct Birth *birth, int memoryRank) {
  const struct CConfinementShims_Confinement *confinement = birth->confinement;
  int namespaces = confinement->namespaces, result;
  if (namespaces & CLONE_NEWPID) {
    if (unshare(CLONE_NEWPID) < 0) return fail(birth, "make its PID namespace", errno);
    if (startKeeper(birth) != 0) return 127;
  } else if ((result = enterRoot(birth, 0)) < 0) {
    return fail(birth, "enter its root folder", -result);
  }
  // After the keeper, so that only the extension inherits it.
  Spawning_rankFirstForMemory(memoryRank);
  pid_t process = Spawning_bear(beExtension, birth->extensionStack, CLONE_PARENT, birth);
  if (process < 0) return fail(birth, "start it", -process);
  birth->result.process = process;
  return birth->error || namespaces & CLONE_NEWPID || confinement->keeper < 0 ? 0 : startKeeper(birth);
}

/// Builds the namespaces and the root folder.
static int beUsher(void *context) {
  struct Birth *birth = context;
  const struct CConfinementShims_Confinement *confinement = birth->confinement;
  int namespaces = confinement->namespaces;
  // A kernel with sched_autogroup divides processors among sessions. In their own session, all threads of the extension
  // together get no more than the host does, or a neighbour that starts. The usher leads the session, so that the keeper can
  // join the extension's process group.
  setsid();
  int result = namespaces & CLONE_NEWUSER ? Namespaces_mapUser(birth->user, birth->group) : 0;
  if (result < 0) return fail(birth, "map its user", -result);
  if (namespaces & CLONE_NEWUSER) Namespaces_allowNoMore();
  // Keeper and extension are born into the group.
  if (confinement->groupEntrance >= 0 && write(confinement->groupEntrance, "0", 1) < 0) {
    return fail(birth, "enter its control group", errno);
  }
  // This must happen while the machine's /proc is still visible.
  int memoryRank = Spawning_openMemoryRank();
  if (namespaces & CLONE_NEWNS && (result = Root_build(confinement, &birth->result.failedStep)) < 0) {
    fail(birth, birth->result.failedStep, -result);
  } else {
    boundCapabilities();
    startProcesses(birth, memoryRank);
  }
  // The descriptors are shared with the host.
  if (memoryRank >= 0) close(memoryRank);
  return 0;
}

/// Enters the network first: the usher is born into its own user namespace, and may enter nothing from there.
static int beDoorman(void *context) {
  struct Birth *birth = context;
  const struct CConfinementShims_Confinement *confinement = birth->confinement;
  int result = Namespaces_enterNetwork(confinement->network, confinement->networkOwner);
  if (result < 0) return fail(birth, "enter its network", -result);
  int flags = (confinement->namespaces & ~CLONE_NEWPID) | CLONE_PARENT | CLONE_FILES;
  pid_t usher = Spawning_bear(beUsher, birth->usherStack, flags, birth);
  if (usher < 0) return fail(birth, "make its namespaces", -usher);
  birth->usher = usher;
  return 0;
}

int CConfinementShims_spawnConfined(const char *path, char *const arguments[], char *const environment[], int controlDescriptor,
                              int lentDescriptor, int output, const struct CConfinementShims_Confinement *confinement,
                              struct CConfinementShims_Confined *result) {
  memset(result, 0, sizeof *result);
  struct Birth *birth = Spawning_share(sizeof *birth);
  if (!birth) return -ENOMEM;
  birth->path = path;
  birth->arguments = arguments;
  birth->environment = environment;
  birth->confinement = confinement;
  birth->user = geteuid();
  birth->group = getegid();
  birth->descriptors = Spawning_openDescriptors(controlDescriptor, lentDescriptor, output);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t first = confinement->network < 0
                    ? Spawning_bear(beUsher, birth->usherStack, (confinement->namespaces & ~CLONE_NEWPID) | CLONE_FILES, birth)
                    : Spawning_bear(beDoorman, birth->doormanStack, CLONE_FILES, birth);
  if (first < 0) fail(birth, "make its namespaces", -first);
  Spawning_reap(first);
  Spawning_reap(birth->usher);
  // If the host itself is filtered, the filter may have ended the usher or the doorman without an error.
  int isBorn = birth->result.process > 0 && (confinement->keeper < 0 || birth->result.keeper > 0);
  if (!isBorn && !birth->error) fail(birth, "make its namespaces", EPERM);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  int error = birth->error;
  *result = birth->result;
  Spawning_closeDescriptors(&birth->descriptors);
  Spawning_endSharing(birth, sizeof *birth);
  if (error) {
    // A keeper ends only after every process of its namespace has been reaped.
    if (result->keeper > 0) kill(result->keeper, SIGKILL);
    if (result->process > 0) kill(result->process, SIGKILL);
    Spawning_reap(result->process);
    Spawning_reap(result->keeper);
  }
  return -error;
}
