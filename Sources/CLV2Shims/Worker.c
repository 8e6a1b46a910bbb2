// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The worker of an instance: takes requests from the render thread, does the work, and returns responses. Worker thread.
#include "CLV2Shims.h"

#include <lv2/worker/worker.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "CRealtimeShims.h"

/// The room for the messages of one direction, in bytes.
enum { ringByteCount = 1 << 18 };

struct CLV2Shims_Worker {
  LV2_Worker_Schedule schedule;
  LV2_Worker_Schedule restoreSchedule;
  void *instance;
  const LV2_Worker_Interface *interface;
  CLV2Shims_Ring *requests;
  CLV2Shims_Ring *responses;
  void *request;
  void *response;
  sem_t wake;
  pthread_t thread;
  /// Held around `work`, so that only one runs at a time, and `responses` has only one writer.
  pthread_mutex_t work;
  _Atomic bool mustStop;
  bool runs;
  /// Requests that the render thread has written, and requests that the worker has carried out.
  uint32_t scheduledCount;
  _Atomic uint32_t doneCount;
};

static LV2_Worker_Status respond(LV2_Worker_Respond_Handle handle, uint32_t byteCount, const void *body) {
  CLV2Shims_Worker *worker = handle;
  return CLV2Shims_write(worker->responses, body, body ? byteCount : 0, NULL, 0) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE;
}

static LV2_Worker_Status schedule(LV2_Worker_Schedule_Handle handle, uint32_t byteCount, const void *body) {
  CLV2Shims_Worker *worker = handle;
  if (!worker->runs) return LV2_WORKER_ERR_UNKNOWN;
  if (!CLV2Shims_write(worker->requests, body, body ? byteCount : 0, NULL, 0)) return LV2_WORKER_ERR_NO_SPACE;
  worker->scheduledCount += 1;
  sem_post(&worker->wake);
  return LV2_WORKER_SUCCESS;
}

/// Does the work before it returns, since nothing is urgent while a state is restored.
static LV2_Worker_Status scheduleInRestore(LV2_Worker_Schedule_Handle handle, uint32_t byteCount, const void *body) {
  CLV2Shims_Worker *worker = handle;
  if (!worker->interface) return LV2_WORKER_ERR_UNKNOWN;
  pthread_mutex_lock(&worker->work);
  LV2_Worker_Status status = worker->interface->work(worker->instance, respond, worker, byteCount, body);
  pthread_mutex_unlock(&worker->work);
  return status;
}

static void *run(void *context) {
  CLV2Shims_Worker *worker = context;
  uint32_t byteCount = 0;
  while (!atomic_load_explicit(&worker->mustStop, memory_order_acquire)) {
    if (!CLV2Shims_read(worker->requests, worker->request, &byteCount)) {
      sem_wait(&worker->wake);
      continue;
    }
    pthread_mutex_lock(&worker->work);
    worker->interface->work(worker->instance, respond, worker, byteCount, byteCount ? worker->request : NULL);
    pthread_mutex_unlock(&worker->work);
    // Release: a thread that sees the count sees the responses.
    atomic_fetch_add_explicit(&worker->doneCount, 1, memory_order_release);
  }
  return NULL;
}

CLV2Shims_Worker *CLV2Shims_makeWorker(void) {
  CLV2Shims_Worker *worker = calloc(1, sizeof(CLV2Shims_Worker));
  if (!worker) return NULL;
  worker->schedule = (LV2_Worker_Schedule){worker, schedule};
  worker->restoreSchedule = (LV2_Worker_Schedule){worker, scheduleInRestore};
  sem_init(&worker->wake, 0, 0);
  pthread_mutex_init(&worker->work, NULL);
  worker->requests = CLV2Shims_makeRing(ringByteCount);
  worker->responses = CLV2Shims_makeRing(ringByteCount);
  worker->request = malloc(ringByteCount);
  worker->response = malloc(ringByteCount);
  if (worker->requests && worker->responses && worker->request && worker->response) return worker;
  CLV2Shims_freeWorker(worker);
  return NULL;
}

void *CLV2Shims_scheduleFeature(CLV2Shims_Worker *worker) { return &worker->schedule; }
void *CLV2Shims_restoreScheduleFeature(CLV2Shims_Worker *worker) { return &worker->restoreSchedule; }

int CLV2Shims_startWorker(CLV2Shims_Worker *worker, void *instance, const void *interface) {
  worker->instance = instance;
  worker->interface = interface;
  int code = pthread_create(&worker->thread, NULL, run, worker);
  worker->runs = code == 0;
  return code;
}

void CLV2Shims_stopWorker(CLV2Shims_Worker *worker) {
  if (!worker->runs) return;
  atomic_store_explicit(&worker->mustStop, true, memory_order_release);
  sem_post(&worker->wake);
  pthread_join(worker->thread, NULL);
  worker->runs = false;
}

void CLV2Shims_freeWorker(CLV2Shims_Worker *worker) {
  CLV2Shims_stopWorker(worker);
  if (worker->requests) CLV2Shims_freeRing(worker->requests);
  if (worker->responses) CLV2Shims_freeRing(worker->responses);
  free(worker->request);
  free(worker->response);
  sem_destroy(&worker->wake);
  pthread_mutex_destroy(&worker->work);
  free(worker);
}

static void waitUntilDone(CLV2Shims_Worker *worker) {
  while (worker->runs && atomic_load_explicit(&worker->doneCount, memory_order_acquire) != worker->scheduledCount) {
    nanosleep(&(struct timespec){0, 20000}, NULL);
  }
}

bool CLV2Shims_isIdle(CLV2Shims_Worker *worker, bool waits) {
  CRealtimeShims_enterForeignCode();
  if (waits) waitUntilDone(worker);
  CRealtimeShims_exitForeignCode();
  // Acquire: the effects of the work on the instance are visible.
  return !worker->runs || atomic_load_explicit(&worker->doneCount, memory_order_acquire) == worker->scheduledCount;
}

static void handOver(CLV2Shims_Worker *worker, bool waits) {
  // A response may cause further work. A plug-in that never stops is abandoned after 16 rounds.
  for (int round = 0; round < 16; round++) {
    if (waits) waitUntilDone(worker);
    uint32_t before = worker->scheduledCount, byteCount = 0;
    while (CLV2Shims_read(worker->responses, worker->response, &byteCount)) {
      if (!worker->interface->work_response) continue;
      worker->interface->work_response(worker->instance, byteCount, byteCount ? worker->response : NULL);
    }
    if (!waits || worker->scheduledCount == before) break;
  }
}

void CLV2Shims_settle(CLV2Shims_Worker *worker) {
  if (worker->interface) handOver(worker, true);
}

void CLV2Shims_deliver(CLV2Shims_Worker *worker, bool waits) {
  if (!worker->interface) return;
  CRealtimeShims_enterForeignCode();
  handOver(worker, waits);
  if (worker->interface->end_run) worker->interface->end_run(worker->instance);
  CRealtimeShims_exitForeignCode();
}
