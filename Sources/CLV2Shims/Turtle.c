// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks that a file is Turtle: lilv skips unreadable parts and reports them only on the terminal. Control thread.
#include "CLV2Shims.h"

#include <serd/serd.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  char *reason;
  size_t byteCount;
} Complaint;

static SerdStatus complain(void *handle, const SerdError *error) {
  Complaint *complaint = handle;
  // The first fault causes the others.
  if (complaint->reason[0]) return SERD_SUCCESS;
  int length = snprintf(complaint->reason, complaint->byteCount, "line %u: ", error->line);
  if (length < 0 || (size_t)length >= complaint->byteCount) return SERD_SUCCESS;
  vsnprintf(complaint->reason + length, complaint->byteCount - (size_t)length, error->fmt, *error->args);
  for (char *end = complaint->reason + strlen(complaint->reason); end > complaint->reason && end[-1] == '\n';) *--end = 0;
  return SERD_SUCCESS;
}

bool CLV2Shims_checkTurtle(const char *path, char *reason, size_t reasonByteCount) {
  reason[0] = 0;
  SerdNode base = serd_node_new_file_uri((const uint8_t *)path, NULL, NULL, true);
  SerdEnv *environment = serd_env_new(&base);
  SerdReader *reader = serd_reader_new(
      SERD_TURTLE, environment, NULL, (SerdBaseSink)serd_env_set_base_uri, (SerdPrefixSink)serd_env_set_prefix, NULL, NULL);
  Complaint complaint = {reason, reasonByteCount};
  serd_reader_set_error_sink(reader, complain, &complaint);
  SerdStatus status = serd_reader_read_file(reader, base.buf);
  serd_reader_free(reader);
  serd_env_free(environment);
  serd_node_free(&base);
  if (status && !reason[0]) snprintf(reason, reasonByteCount, "%s", (const char *)serd_strerror(status));
  return status == SERD_SUCCESS;
}
