// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// PipeWire's own statistics of a node's cycles, as pw-top shows them. Control thread and a loop thread of its own.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "Private.h"

#include <pipewire/extensions/profiler.h>
#include <pipewire/impl.h>
#include <spa/param/profiler.h>
#include <spa/pod/parser.h>

enum { unfinishedCapacity = 256 };

struct CPipeWireShims_Profile {
  Connection connection;
  char nodeName[256];
  struct pw_registry *registry;
  struct spa_hook registryListener;
  struct pw_profiler *profiler;
  struct spa_hook profilerListener;
  // The loop's lock guards all fields from here on.
  /// The length of the driver's cycle, and the time of its last request to the node; nanoseconds.
  int64_t length;
  int64_t lastSignal;
  /// The number of reports that this cycle was unfinished.
  uint32_t unfinishedCount;
  CPipeWireShims_ProfileCounts counts;
  /// The latest xruns, and the number of xruns that have been taken.
  CPipeWireShims_UnfinishedCycle unfinished[unfinishedCapacity];
  uint64_t taken;
};

/// The state of a node that had finished when the driver's cycle ended.
enum { statusFinished = 3 };

static void noteClock(CPipeWireShims_Profile *profile, const struct spa_pod *clock) {
  int32_t flags, identifier;
  int64_t nanoseconds, position, duration;
  const char *name;
  struct spa_fraction rate;
  if (spa_pod_parse_struct(
          clock, SPA_POD_Int(&flags), SPA_POD_Int(&identifier), SPA_POD_String(&name), SPA_POD_Long(&nanoseconds),
          SPA_POD_Fraction(&rate), SPA_POD_Long(&position), SPA_POD_Long(&duration))
          < 0
      || rate.denom == 0)
    return;
  profile->length = duration * SPA_NSEC_PER_SEC * rate.num / rate.denom;
}

/// Notes a report of a cycle. A cycle that the node did not finish is reported twice: when the next cycle interrupts it, and
/// when that next cycle has begun. A cycle with one such report was still running when its driver had finished, because an
/// interrupted earlier cycle ended then.
static void noteCycle(CPipeWireShims_Profile *profile, int64_t signal, bool isFinished) {
  if (signal != profile->lastSignal) {
    profile->counts.cycles++;
    if (profile->unfinishedCount > 1) {
      CPipeWireShims_UnfinishedCycle cycle = {profile->lastSignal, signal, profile->length};
      profile->unfinished[profile->counts.xruns++ % unfinishedCapacity] = cycle;
    }
    profile->lastSignal = signal;
    profile->unfinishedCount = 0;
  }
  if (!isFinished) profile->unfinishedCount++;
}

static void noteBlock(CPipeWireShims_Profile *profile, const struct spa_pod *block) {
  int32_t identifier, status;
  int64_t lastSignal, signal, awake, finish;
  const char *name = NULL;
  if (spa_pod_parse_struct(
          block, SPA_POD_Int(&identifier), SPA_POD_String(&name), SPA_POD_Long(&lastSignal), SPA_POD_Long(&signal),
          SPA_POD_Long(&awake), SPA_POD_Long(&finish), SPA_POD_Int(&status))
      < 0)
    return;
  if (name && spa_streq(name, profile->nodeName)) noteCycle(profile, signal, status == statusFinished);
}

/// A profile is a struct of objects, one for each cycle of a driver, with a block for each node that follows the driver.
static void profiled(void *data, const struct spa_pod *pod) {
  struct spa_pod *cycle;
  if (!spa_pod_is_struct(pod)) return;
  SPA_POD_STRUCT_FOREACH(pod, cycle) {
    struct spa_pod_prop *property;
    if (!spa_pod_is_object_type(cycle, SPA_TYPE_OBJECT_Profiler)) continue;
    SPA_POD_OBJECT_FOREACH((struct spa_pod_object *)cycle, property) {
      if (property->key == SPA_PROFILER_clock) noteClock(data, &property->value);
      if (property->key == SPA_PROFILER_followerBlock) noteBlock(data, &property->value);
    }
  }
}

static const struct pw_profiler_events profilerEvents = {PW_VERSION_PROFILER_EVENTS, .profile = profiled};

static void globalAdded(
    void *data, uint32_t identifier, uint32_t permissions, const char *type, uint32_t version,
    const struct spa_dict *properties) {
  CPipeWireShims_Profile *profile = data;
  (void)permissions, (void)version, (void)properties;
  if (profile->profiler || !spa_streq(type, PW_TYPE_INTERFACE_Profiler)) return;
  profile->profiler = pw_registry_bind(profile->registry, identifier, type, PW_VERSION_PROFILER, 0);
  if (profile->profiler) pw_profiler_add_listener(profile->profiler, &profile->profilerListener, &profilerEvents, profile);
}

static const struct pw_registry_events registryEvents = {PW_VERSION_REGISTRY_EVENTS, .global = globalAdded};

static void closeProxies(CPipeWireShims_Profile *profile) {
  if (profile->profiler) {
    spa_hook_remove(&profile->profilerListener);
    pw_proxy_destroy((struct pw_proxy *)profile->profiler);
  }
  if (profile->registry) {
    spa_hook_remove(&profile->registryListener);
    pw_proxy_destroy((struct pw_proxy *)profile->registry);
  }
}

/// Returns whether the daemon has a profiler. The loop's lock is held.
static bool bindProfiler(CPipeWireShims_Profile *profile) {
  pw_context_load_module(profile->connection.context, PW_EXTENSION_MODULE_PROFILER, NULL, NULL);
  profile->registry = pw_core_get_registry(profile->connection.core, PW_VERSION_REGISTRY, 0);
  if (!profile->registry) return false;
  pw_registry_add_listener(profile->registry, &profile->registryListener, &registryEvents, profile);
  return Connection_roundtrip(&profile->connection) && profile->profiler;
}

CPipeWireShims_Profile *CPipeWireShims_openProfile(
    const char *socketPath, const char *nodeName, CPipeWireShims_Error *error) {
  CPipeWireShims_Profile *profile = calloc(1, sizeof *profile);
  if (!profile) return CPipeWireShims_setError(error, CPipeWireShims_StepMemory, ENOMEM, ""), NULL;
  snprintf(profile->nodeName, sizeof profile->nodeName, "%s", nodeName);
  bool isOpen = Connection_open(&profile->connection, socketPath, error);
  if (isOpen) {
    pw_thread_loop_lock(profile->connection.loop);
    isOpen = bindProfiler(profile);
    pw_thread_loop_unlock(profile->connection.loop);
    if (!isOpen) CPipeWireShims_setError(error, CPipeWireShims_StepAnswer, ENOTSUP, "the daemon has no profiler");
  }
  if (isOpen) return profile;
  CPipeWireShims_closeProfile(profile);
  return NULL;
}

void CPipeWireShims_closeProfile(CPipeWireShims_Profile *profile) {
  Connection_stopLoop(&profile->connection);
  closeProxies(profile);
  Connection_close(&profile->connection);
  free(profile);
}

CPipeWireShims_ProfileCounts CPipeWireShims_profileCounts(CPipeWireShims_Profile *profile) {
  pw_thread_loop_lock(profile->connection.loop);
  CPipeWireShims_ProfileCounts counts = profile->counts;
  pw_thread_loop_unlock(profile->connection.loop);
  return counts;
}

bool CPipeWireShims_takeUnfinishedCycle(CPipeWireShims_Profile *profile, CPipeWireShims_UnfinishedCycle *cycle) {
  pw_thread_loop_lock(profile->connection.loop);
  uint64_t xruns = profile->counts.xruns;
  if (xruns > profile->taken + unfinishedCapacity) profile->taken = xruns - unfinishedCapacity;
  bool isThere = profile->taken < xruns;
  if (isThere) *cycle = profile->unfinished[profile->taken++ % unfinishedCapacity];
  pw_thread_loop_unlock(profile->connection.loop);
  return isThere;
}
