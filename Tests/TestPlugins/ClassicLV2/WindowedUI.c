// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Windows of LV2 plug-ins, for tests: an honest one, one that crashes, one that hangs, one that shows itself, one of GTK 2, one that pries.
// Main thread.
//
// The honest one is 200 by 100. A click in its upper half sets the level to x / 200, one in its lower half the mode to 20. What a
// window is told it appends to the file that BULKHEAD_TEST_WINDOW names. After a click the prying one sets the level to 0.5, and to
// more for each thing that it could do.
#define _GNU_SOURCE
#include "Honest.h"

#include <dirent.h>
#include <dlfcn.h>
#include <lv2/ui/ui.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
// Last: it makes a macro of the word Bool.
#include <X11/Xlib.h>

enum { width = 200, height = 100, levelPort = 2, modePort = 3 };

enum Manner { honest, crashing, hanging, own, ofGTK, prying };

typedef struct {
  enum Manner manner;
  LV2UI_Write_Function write;
  LV2UI_Controller controller;
  Display *display;
  Window window;
  bool isOver;
} WindowedUI;

static const char *const names[] = {PREFIX "windowed#ui", PREFIX "crashingWindow#ui", PREFIX "hangingWindow#ui",
                                    PREFIX "ownWindow#ui", PREFIX "windowOfGTK2#ui",
                                    PREFIX "pryingWindow#ui"};
enum { count = sizeof names / sizeof *names };

static void set(WindowedUI *self, uint32_t port, float value) { self->write(self->controller, port, sizeof value, 0, &value); }

static LV2UI_Handle make(
    const LV2UI_Descriptor *d, const char *plugin, const char *bundle, LV2UI_Write_Function write, LV2UI_Controller controller,
    LV2UI_Widget *widget, const LV2_Feature *const *features) {
  (void)plugin, (void)bundle;
  WindowedUI *self = calloc(1, sizeof *self);
  self->write = write;
  self->controller = controller;
  while (strcmp(names[self->manner], d->URI) != 0) self->manner++;
  if (self->manner == own) return self;
  if (self->manner == ofGTK) {
    // The program has loaded GTK, and this library is compiled without it.
    void *(*makeLabel)(const char *);
    *(void **)&makeLabel = dlsym(RTLD_DEFAULT, "gtk_label_new");
    *widget = makeLabel ? makeLabel("A label of GTK") : NULL;
    set(self, levelPort, 0.25f);
    return *widget ? self : NULL;
  }
  self->display = XOpenDisplay(NULL);
  Window parent = (Window)(uintptr_t)feature(features, LV2_UI__parent);
  self->window = XCreateSimpleWindow(self->display, parent, 0, 0, width, height, 0, 0, 0x4060A0);
  XSelectInput(self->display, self->window, ButtonPressMask);
  XMapWindow(self->display, self->window);
  XFlush(self->display);
  LV2UI_Resize *resize = feature(features, LV2_UI__resize);
  if (resize) resize->ui_resize(resize->handle, width, height);
  *widget = (LV2UI_Widget)(uintptr_t)self->window;
  return self;
}

static void clean(LV2UI_Handle handle) {
  WindowedUI *self = handle;
  if (self->display) XCloseDisplay(self->display);
  free(self);
}

static void take(LV2UI_Handle handle, uint32_t port, uint32_t size, uint32_t format, const void *value) {
  (void)size, (void)format;
  const char *path = getenv("BULKHEAD_TEST_WINDOW");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (file) {
    fprintf(file, "%u %g\n", port, *(const float *)value);
    fclose(file);
  }
  WindowedUI *self = handle;
  if (self->manner >= own && *(const float *)value == 0.5f) self->isOver = true;
}

/// Whether a file of the user's can be read.
static int readsFiles(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/secret", getenv("HOME") ? getenv("HOME") : "");
  FILE *file = fopen(path, "r");
  if (file) fclose(file);
  return file != NULL;
}

/// Whether an X server is found by its file, past the X library.
static int findsServers(void) {
  DIR *folder = opendir("/tmp/.X11-unix");
  if (folder) closedir(folder);
  return folder != NULL;
}

/// Whether a socket can be made, past the C library.
static int makesSockets(void) {
  int made = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
  if (made >= 0) close(made);
  return made >= 0;
}

/// Whether the X library connects to a screen of the tests, which are 800 wide.
static int seesScreen(void) {
  int seen = 0;
  for (int number = 0; number < 50; number++) {
    char name[16];
    snprintf(name, sizeof name, ":%d", number);
    Display *other = XOpenDisplay(name);
    if (!other) continue;
    seen |= DisplayWidth(other, 0) == 800;
    XCloseDisplay(other);
  }
  return seen;
}

static float pry(void) {
  return 0.5f + 0.03f * (float)(readsFiles() + 2 * findsServers() + 4 * makesSockets() + 8 * seesScreen());
}

static int idle(LV2UI_Handle handle) {
  WindowedUI *self = handle;
  while (self->display && XPending(self->display) > 0) {
    XEvent event;
    XNextEvent(self->display, &event);
    if (event.type != ButtonPress) continue;
    if (self->manner == crashing) raise(SIGSEGV);
    while (self->manner == hanging) pause();
    if (self->manner == prying) {
      set(self, levelPort, pry());
      continue;
    }
    bool isUpper = event.xbutton.y < height / 2;
    set(self, isUpper ? levelPort : modePort, isUpper ? (float)event.xbutton.x / width : 20);
  }
  return self->isOver;
}

static int show(LV2UI_Handle handle) {
  set(handle, levelPort, 0.25f);
  return 0;
}

static int hide(LV2UI_Handle handle) {
  (void)handle;
  return 0;
}

static const void *extension(const char *uri) {
  static const LV2UI_Idle_Interface idling = {idle};
  static const LV2UI_Show_Interface showing = {show, hide};
  if (strcmp(uri, LV2_UI__idleInterface) == 0) return &idling;
  return strcmp(uri, LV2_UI__showInterface) == 0 ? &showing : NULL;
}

LV2_SYMBOL_EXPORT const LV2UI_Descriptor *lv2ui_descriptor(uint32_t index) {
  static LV2UI_Descriptor descriptors[count];
  if (index >= count) return NULL;
  descriptors[index] = (LV2UI_Descriptor){names[index], make, clean, take, extension};
  return &descriptors[index];
}
