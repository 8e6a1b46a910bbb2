// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A connection to the daemon that notices when the daemon ends. Control thread and PipeWire's loop thread.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "Private.h"

bool CPipeWireShims_setError(CPipeWireShims_Error *error, CPipeWireShims_Step step, int code, const char *text) {
  error->step = step;
  error->code = code;
  snprintf(error->text, sizeof error->text, "%s", text);
  return false;
}

/// Records a failure. The first failure is the cause; later ones are dropped.
void Connection_fail(Connection *connection, const char *text) {
  if (!atomic_load_explicit(&connection->hasFailed, memory_order_relaxed)) {
    snprintf(connection->failure, sizeof connection->failure, "%s", text);
    atomic_store_explicit(&connection->hasFailed, true, memory_order_release);
    if (connection->tellsOfFailure) eventfd_write(connection->failureEvent, 1);
  }
  pw_thread_loop_signal(connection->loop, false);
}

static void coreDone(void *data, uint32_t identifier, int sequence) {
  Connection *connection = data;
  if (identifier != PW_ID_CORE) return;
  connection->doneSync = sequence;
  pw_thread_loop_signal(connection->loop, false);
}

static void coreError(void *data, uint32_t identifier, int sequence, int result, const char *message) {
  (void)sequence;
  // ENOENT concerns an object that the daemon has meanwhile removed, such as a link to a device that is gone.
  if (identifier != PW_ID_CORE || result == -ENOENT) return;
  // EPIPE means that the daemon closed the socket. Every other error on the core is fatal by definition.
  Connection_fail(data, result == -EPIPE ? "the daemon closed the connection" : message ? message : strerror(-result));
}

static const struct pw_core_events coreEvents = {PW_VERSION_CORE_EVENTS, .done = coreDone, .error = coreError};

/// Connects to a path by hand, because PIPEWIRE_REMOTE would win over a property.
static int connectSocket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return errno = ENAMETOOLONG, -1;
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  int code = errno;
  close(descriptor);
  return errno = code, -1;
}

static struct pw_core *connectCore(struct pw_context *context, const char *path) {
  if (!path) return pw_context_connect(context, NULL, 0);
  int descriptor = connectSocket(path);
  return descriptor < 0 ? NULL : pw_context_connect_fd(context, descriptor, NULL, 0);
}

static void initializeLibrary(void) { pw_init(NULL, NULL); }

static bool openLoop(Connection *connection) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initializeLibrary);
  connection->loop = pw_thread_loop_new("bulkhead-pw", NULL);
  if (!connection->loop) return false;
  struct pw_properties *properties = pw_properties_new(
      PW_KEY_CONFIG_NAME, CPipeWireShims_clientConfiguration(), PW_KEY_APP_NAME, "Bulkhead", NULL);
  connection->context = pw_context_new(pw_thread_loop_get_loop(connection->loop), properties, 0);
  return connection->context && pw_thread_loop_start(connection->loop) == 0;
}

bool Connection_open(Connection *connection, const char *socketPath, CPipeWireShims_Error *error) {
  spa_list_init(&connection->objects);
  if (!openLoop(connection)) return CPipeWireShims_setError(error, CPipeWireShims_StepMemory, errno, "");
  pw_thread_loop_lock(connection->loop);
  connection->core = connectCore(connection->context, socketPath);
  int code = errno;
  bool answered = false;
  if (connection->core) {
    pw_core_add_listener(connection->core, &connection->coreListener, &coreEvents, connection);
    Registry_open(connection);
    // The first reply brings the objects, the second one the metadata values among them.
    answered = Connection_roundtrip(connection) && Connection_roundtrip(connection);
  }
  pw_thread_loop_unlock(connection->loop);
  if (!connection->core) return CPipeWireShims_setError(error, CPipeWireShims_StepConnect, code, "");
  return answered || CPipeWireShims_setError(error, CPipeWireShims_StepAnswer, ETIMEDOUT, connection->failure);
}

/// Waits for a signal until a point in time; false after that time, or if the connection failed.
bool Connection_wait(Connection *connection, struct timespec *until) {
  if (atomic_load_explicit(&connection->hasFailed, memory_order_acquire)) return false;
  return pw_thread_loop_timed_wait_full(connection->loop, until) == 0
         && !atomic_load_explicit(&connection->hasFailed, memory_order_acquire);
}

bool Connection_roundtrip(Connection *connection) {
  struct timespec until;
  pw_thread_loop_get_time(connection->loop, &until, (int64_t)answerSeconds * SPA_NSEC_PER_SEC);
  int sequence = pw_core_sync(connection->core, PW_ID_CORE, 0);
  while (connection->doneSync != sequence)
    if (!Connection_wait(connection, &until)) return connection->doneSync == sequence;
  return true;
}

void Connection_stopLoop(Connection *connection) {
  if (connection->loop) pw_thread_loop_stop(connection->loop);
}

/// Frees the connection; the loop must have stopped.
void Connection_close(Connection *connection) {
  Registry_close(connection);
  if (connection->core) {
    spa_hook_remove(&connection->coreListener);
    pw_core_disconnect(connection->core);
  }
  if (connection->context) pw_context_destroy(connection->context);
  if (connection->loop) pw_thread_loop_destroy(connection->loop);
}
