// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A window that the plug-in's library makes and shows by itself. Main thread.
#include <poll.h>

#include "Window.h"

void OwnWindow_run(const struct Arguments *arguments) {
  struct Interface interface = Interface_open(&arguments->bundle, Features_make(arguments->sampleRate, 1, arguments->title, 0));
  if (!interface.show || !interface.show->show || !interface.idle) {
    Channel_refuse("its library cannot show the window, although its description says so");
  }
  if (interface.show->show(interface.handle) != 0) Channel_refuse("its library could not show the window");
  Channel_send(kindOpened, 0, 0);
  while (Interface_work(&interface)) {
    struct pollfd polled = {channelDescriptor, 0, 0};
    poll(&polled, 1, frameMilliseconds);
  }
  if (interface.show->hide) interface.show->hide(interface.handle);
  Interface_close(&interface);
}
