// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Records to and from the command. Main thread; a library may write values on a thread of its own.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "Window.h"

enum { mostTextByteCount = 500 };

static void sendBytes(const void *bytes, size_t count) {
  while (send(channelDescriptor, bytes, count, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) _exit(1);
  }
}

void Channel_send(uint32_t kind, uint32_t port, double value) {
  struct Record record = {kind, port, value};
  sendBytes(&record, sizeof record);
}

void Channel_refuse(const char *format, ...) {
  struct {
    struct Record record;
    char text[mostTextByteCount];
  } message = {{kindRefused, 0, 0}, ""};
  va_list values;
  va_start(values, format);
  vsnprintf(message.text, sizeof message.text, format, values);
  va_end(values);
  sendBytes(&message, sizeof message.record + strlen(message.text));
  _exit(1);
}

bool Channel_receive(struct Record *record) {
  while (true) {
    ssize_t count = recv(channelDescriptor, record, sizeof *record, MSG_DONTWAIT);
    if (count == (ssize_t)sizeof *record) return true;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return false;
    // The command has closed the window, or has ended.
    _exit(0);
  }
}
