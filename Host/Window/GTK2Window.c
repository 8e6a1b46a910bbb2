// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A GTK 2 window around the widget of the plug-in's library. Main thread.
//
// GTK is loaded when a window needs it: most machines lack it, and it is not available for compilation.
#include <dlfcn.h>

#include "Window.h"

#define LIBRARY "libgtk-x11-2.0.so.0"

/// The priority of work that waits until GTK has drawn.
enum { afterDrawing = 200 };

/// The used functions, with their GTK types.
static struct {
  void (*gtk_disable_setlocale)(void);
  int (*gtk_init_check)(int *, char ***);
  void *(*gtk_window_new)(int);
  void (*gtk_window_set_title)(void *, const char *);
  void (*gtk_window_resize)(void *, int, int);
  void (*gtk_window_set_resizable)(void *, int);
  void (*gtk_container_add)(void *, void *);
  void (*gtk_widget_show_all)(void *);
  void (*gtk_main)(void);
  void (*gtk_main_quit)(void);
  unsigned long (*g_signal_connect_data)(void *, const char *, void (*)(void), void *, void *, int);
  unsigned (*g_timeout_add_full)(int, unsigned, int (*)(void *), void *, void (*)(void *));
} gtk;

static void *window;

static void *symbol(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (!found) Channel_refuse("%s lacks %s", LIBRARY, name);
  return found;
}

#define TAKE(name) *(void **)&gtk.name = symbol(library, #name)

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_GLOBAL);
  if (!library) Channel_refuse("it is made with GTK 2, which is not installed; Debian has it in libgtk2.0-0");
  TAKE(gtk_disable_setlocale);
  TAKE(gtk_init_check);
  TAKE(gtk_window_new);
  TAKE(gtk_window_set_title);
  TAKE(gtk_window_resize);
  TAKE(gtk_window_set_resizable);
  TAKE(gtk_container_add);
  TAKE(gtk_widget_show_all);
  TAKE(gtk_main);
  TAKE(gtk_main_quit);
  TAKE(g_signal_connect_data);
  TAKE(g_timeout_add_full);
}

/// Does the periodic work; GTK also calls it inside its own dialogs.
static int work(void *interface) {
  if (Interface_work(interface)) return 1;
  gtk.gtk_main_quit();
  return 0;
}

static int resize(int width, int height) {
  gtk.gtk_window_resize(window, width, height);
  return 0;
}

void GTK2Window_run(const struct Arguments *arguments) {
  load();
  gtk.gtk_disable_setlocale();
  if (!gtk.gtk_init_check(NULL, NULL)) Channel_refuse("the X server does not answer");
  window = gtk.gtk_window_new(0);
  gtk.gtk_window_set_title(window, arguments->title);
  if (arguments->bundle.isFixedSize) gtk.gtk_window_set_resizable(window, 0);
  Features_resize = resize;
  struct Interface interface = Interface_open(&arguments->bundle, Features_make(arguments->sampleRate, 1, arguments->title, 0));
  if (!interface.widget) Channel_refuse("its library made no widget");
  gtk.g_signal_connect_data(window, "destroy", gtk.gtk_main_quit, NULL, NULL, 0);
  gtk.gtk_container_add(window, interface.widget);
  gtk.gtk_widget_show_all(window);
  gtk.g_timeout_add_full(afterDrawing, frameMilliseconds, work, &interface, NULL);
  Channel_send(kindOpened, 0, 0);
  gtk.gtk_main();
  // GTK has destroyed the widget with the window. The library would destroy it again, so it is not called.
  Channel_send(kindClosed, 0, 0);
}
