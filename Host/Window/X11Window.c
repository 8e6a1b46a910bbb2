// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An X window around the plug-in's own window. Main thread.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xresource.h>
#include <X11/Xutil.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "Window.h"

enum { firstWidth = 640, firstHeight = 400 };

static Display *display;
static Window outer, inner;
static int outerWidth = firstWidth, outerHeight = firstHeight;
static bool isFixedSize;

/// Ignores errors of single requests: windows of libraries come and go.
static int tolerate(Display *of, XErrorEvent *event) {
  // A window ended while a request was on its way.
  if (event->error_code == BadWindow) return 0;
  char text[200];
  XGetErrorText(of, event->error_code, text, sizeof text);
  fprintf(stderr, "The X server refused a request: %s.\n", text);
  return 0;
}

static int endWithServer(Display *of) {
  (void)of;
  _exit(lostServerStatus);
}

/// The person's scale for windows and texts.
static float scale(void) {
  const char *resolution = XGetDefault(display, "Xft", "dpi");
  double factor = resolution ? atof(resolution) / 96 : 1;
  return factor >= 0.5 && factor <= 8 ? (float)factor : 1;
}

static void hint(void) {
  XSizeHints hints = {0}, own = {0};
  long given;
  if (isFixedSize) {
    hints.flags = PMinSize | PMaxSize;
    hints.min_width = hints.max_width = outerWidth;
    hints.min_height = hints.max_height = outerHeight;
  } else if (inner && XGetWMNormalHints(display, inner, &own, &given)) {
    hints = own;
    hints.flags &= PMinSize | PMaxSize | PResizeInc | PAspect;
  }
  XSetWMNormalHints(display, outer, &hints);
}

static int resizeOuter(int width, int height) {
  if (width == outerWidth && height == outerHeight) return 0;
  outerWidth = width;
  outerHeight = height;
  hint();
  XResizeWindow(display, outer, (unsigned)width, (unsigned)height);
  XFlush(display);
  return 0;
}

static void makeOuter(const char *title) {
  Window root = DefaultRootWindow(display);
  outer = XCreateSimpleWindow(display, root, 0, 0, firstWidth, firstHeight, 0, 0, BlackPixel(display, DefaultScreen(display)));
  XSelectInput(display, outer, StructureNotifyMask | SubstructureNotifyMask | FocusChangeMask);
  Xutf8SetWMProperties(display, outer, title, title, NULL, 0, NULL, NULL, NULL);
  Atom name = XInternAtom(display, "_NET_WM_NAME", False), utf8 = XInternAtom(display, "UTF8_STRING", False);
  XChangeProperty(display, outer, name, utf8, 8, PropModeReplace, (const unsigned char *)title, (int)strlen(title));
  Atom close = XInternAtom(display, "WM_DELETE_WINDOW", False);
  XSetWMProtocols(display, outer, &close, 1);
  long process = getpid();
  Atom owner = XInternAtom(display, "_NET_WM_PID", False);
  XChangeProperty(display, outer, owner, XA_CARDINAL, 32, PropModeReplace, (const unsigned char *)&process, 1);
  XSync(display, False);
}

/// The plug-in's window: the one that the library names, or the first child of ours.
static Window find(LV2UI_Widget widget) {
  Window root, parent, *children = NULL, found = (Window)(uintptr_t)widget;
  unsigned count = 0;
  XSync(display, False);
  if (found != outer && found != 0) return found;
  if (XQueryTree(display, outer, &root, &parent, &children, &count) && count > 0) found = children[0];
  if (children) XFree(children);
  return found == outer ? 0 : found;
}

static void adopt(LV2UI_Widget widget) {
  inner = find(widget);
  if (!inner) return;
  Window root, parent, *children = NULL;
  unsigned count;
  if (XQueryTree(display, inner, &root, &parent, &children, &count) && parent != outer) {
    XReparentWindow(display, inner, outer, 0, 0);
  }
  if (children) XFree(children);
  XWindowAttributes at;
  if (XGetWindowAttributes(display, inner, &at) && at.width > 1 && at.height > 1) resizeOuter(at.width, at.height);
  XMapWindow(display, inner);
}

/// Handles one event; false once the person closes the window.
static bool take(const XEvent *event, struct Interface *interface) {
  switch (event->type) {
    case ClientMessage: return (Atom)event->xclient.data.l[0] != XInternAtom(display, "WM_DELETE_WINDOW", False);
    case DestroyNotify: return event->xdestroywindow.window != outer;
    case FocusIn:
      if (inner) XSetInputFocus(display, inner, RevertToParent, CurrentTime);
      break;
    case ConfigureNotify: {
      const XConfigureEvent *changed = &event->xconfigure;
      if (changed->window == inner) resizeOuter(changed->width, changed->height);
      if (changed->window != outer || (changed->width == outerWidth && changed->height == outerHeight)) break;
      outerWidth = changed->width;
      outerHeight = changed->height;
      if (inner) XResizeWindow(display, inner, (unsigned)outerWidth, (unsigned)outerHeight);
      if (interface->resize && interface->resize->ui_resize) {
        interface->resize->ui_resize(interface->handle, outerWidth, outerHeight);
      }
      break;
    }
    default: break;
  }
  return true;
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Waits for the next frame, or for an earlier change.
static void rest(int64_t until) {
  int64_t left = until - milliseconds();
  struct pollfd polled[] = {{ConnectionNumber(display), POLLIN, 0}, {channelDescriptor, POLLIN, 0}};
  if (left > 0) poll(polled, 2, (int)left);
}

void X11Window_run(const struct Arguments *arguments) {
  XInitThreads();
  display = XOpenDisplay(NULL);
  if (!display) Channel_refuse("the X server \"%s\" does not answer", XDisplayName(NULL));
  XSetErrorHandler(tolerate);
  XSetIOErrorHandler(endWithServer);
  isFixedSize = arguments->bundle.isFixedSize;
  makeOuter(arguments->title);
  Features_resize = resizeOuter;
  struct Interface interface =
      Interface_open(&arguments->bundle, Features_make(arguments->sampleRate, scale(), arguments->title, outer));
  // A library may have installed its own handlers instead.
  XSetErrorHandler(tolerate);
  XSetIOErrorHandler(endWithServer);
  adopt(interface.widget);
  hint();
  XMapRaised(display, outer);
  XSync(display, False);
  Channel_send(kindOpened, 0, 0);
  bool isOpen = true;
  while (isOpen) {
    int64_t next = milliseconds() + frameMilliseconds;
    isOpen = Interface_work(&interface);
    while (isOpen && XPending(display) > 0) {
      XEvent event;
      XNextEvent(display, &event);
      isOpen = take(&event, &interface);
    }
    XFlush(display);
    if (isOpen) rest(next);
  }
  Interface_close(&interface);
}
