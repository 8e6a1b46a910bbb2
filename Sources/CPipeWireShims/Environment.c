// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Queries to the daemon and the kernel that need no node. Control thread.
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "Private.h"

enum { realtimePriority = 95 };

int32_t CPipeWireShims_currentThread(void) { return (int32_t)syscall(SYS_gettid); }

/// True if the session has made the sink its default and given it ports.
static bool hasSink(Connection *connection, const char *name) {
  const Object *node = Registry_node(connection, name, NULL), *port;
  return node && spa_streq(connection->defaultSink, name)
         && Registry_ports(connection, node->identifier, PW_DIRECTION_INPUT, &port, 1) > 0;
}

bool CPipeWireShims_isReachable(const char *socketPath, const char *sinkName) {
  Connection *connection = calloc(1, sizeof *connection);
  CPipeWireShims_Error error;
  if (!connection) return false;
  bool isReachable = Connection_open(connection, socketPath, &error);
  if (isReachable && sinkName) {
    pw_thread_loop_lock(connection->loop);
    isReachable = hasSink(connection, sinkName);
    pw_thread_loop_unlock(connection->loop);
  }
  Connection_stopLoop(connection);
  Connection_close(connection);
  free(connection);
  return isReachable;
}

/// Raises a soft limit, and for root the hard limit, too; other users get what the system grants them.
static void raiseLimit(__rlimit_resource_t resource, rlim_t wanted) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) < 0 || limit.rlim_cur >= wanted) return;
  struct rlimit both = {wanted, limit.rlim_max < wanted ? wanted : limit.rlim_max};
  struct rlimit soft = {limit.rlim_max, limit.rlim_max};
  if (setrlimit(resource, &both) < 0) setrlimit(resource, &soft);
}

int32_t CPipeWireShims_raiseLimits(void) {
  struct rlimit limit = {0, 0};
  raiseLimit(RLIMIT_RTPRIO, realtimePriority);
  raiseLimit(RLIMIT_MEMLOCK, RLIM_INFINITY);
  getrlimit(RLIMIT_RTPRIO, &limit);
  return (int32_t)SPA_MIN(limit.rlim_cur, (rlim_t)realtimePriority);
}
