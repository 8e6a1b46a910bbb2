// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Connections of a confined window to the X server: it may not connect itself, and asks the command for each one. Any thread.
//
// The X library and the plug-in's own find these functions before those of the C library.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "Window.h"

enum { brokerDescriptor = 4, kindMask = 0xF };

/// The address of X servers, as a file or as an abstract name.
static const char serverPath[] = "/tmp/.X11-unix/X";

static bool hasBroker;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void Display_begin(void) {
  int kind = 0;
  socklen_t length = sizeof kind;
  hasBroker = getsockopt(brokerDescriptor, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 && kind == SOCK_SEQPACKET;
  if (hasBroker) fcntl(brokerDescriptor, F_SETFD, FD_CLOEXEC);
}

/// Asks the command for a connection; -1 without one.
static int ask(void) {
  char byte = 0;
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr head;
  } control;
  struct iovec piece = {&byte, 1};
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t count = 0;
  int connection = -1;
  pthread_mutex_lock(&lock);
  if (send(brokerDescriptor, &byte, 1, MSG_NOSIGNAL) == 1) {
    do count = recvmsg(brokerDescriptor, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
  }
  pthread_mutex_unlock(&lock);
  struct cmsghdr *head = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) memcpy(&connection, CMSG_DATA(head), sizeof connection);
  return connection;
}

/// Replaces a socket by a connection, with the socket's flags.
static int replace(int socket, int connection) {
  int flags = fcntl(socket, F_GETFD), status = fcntl(socket, F_GETFL);
  fcntl(connection, F_SETFL, status);
  int result = dup3(connection, socket, flags & FD_CLOEXEC ? O_CLOEXEC : 0);
  close(connection);
  return result < 0 ? -1 : 0;
}

static bool isServer(const struct sockaddr *address, socklen_t length) {
  const struct sockaddr_un *named = (const struct sockaddr_un *)address;
  if (length < offsetof(struct sockaddr_un, sun_path) + sizeof serverPath || address->sa_family != AF_UNIX) return false;
  // An abstract name begins with 0.
  return memcmp(named->sun_path + (named->sun_path[0] == 0), serverPath, sizeof serverPath - 1) == 0;
}

/// Makes a socket; for a confined window it leads nowhere until it is connected.
int socket(int domain, int kind, int protocol) {
  int ends[2];
  if (!hasBroker || domain != AF_UNIX || (kind & kindMask) != SOCK_STREAM) return (int)syscall(SYS_socket, domain, kind, protocol);
  if (socketpair(domain, kind, protocol, ends) < 0) return -1;
  close(ends[1]);
  return ends[0];
}

/// Connects a socket. For a confined window, the command connects it to the window's only X server, for any address.
int connect(int socket, __CONST_SOCKADDR_ARG address, socklen_t length) {
  if (!hasBroker || !isServer(address.__sockaddr__, length)) return (int)syscall(SYS_connect, socket, address.__sockaddr__, length);
  int connection = ask();
  if (connection >= 0) return replace(socket, connection);
  errno = ECONNREFUSED;
  return -1;
}
