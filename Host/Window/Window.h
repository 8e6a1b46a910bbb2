// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in's own window in its own process: the shared declarations of the program. Main thread, unless stated otherwise.
//
// The program is C, because a window's library brings toolkits that expect no other runtime beside them.
#pragma once

#include <lilv/lilv.h>
#include <lv2/core/lv2.h>
#include <lv2/ui/ui.h>
#include <lv2/urid/urid.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef LV2_UI__makeResident
#define LV2_UI__makeResident LV2_UI_PREFIX "makeResident"
#endif

// MARK: - Channel.c: records to and from the command, on descriptor 3

/// The kinds of records. WindowRecord.swift has the same numbers.
enum Kind { kindValue = 1, kindAlive, kindOpened, kindRefused, kindClosed, kindLeftOut };

enum { channelDescriptor = 3, lostServerStatus = 3 };

struct Record {
  uint32_t kind, port;
  double value;
};

/// Sends a record; waits while the command is behind, and ends the process if the command has ended.
void Channel_send(uint32_t kind, uint32_t port, double value);
/// Sends the reason for the missing window, as the end of a sentence, and ends the process.
_Noreturn void Channel_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// Receives the next record without waiting; false if there is none. Ends the process if the command has ended.
bool Channel_receive(struct Record *record);

// MARK: - Display.c: the X server of a confined window

/// Finds out whether the command connects this process to the X server, through descriptor 4. Call it before any connection.
void Display_begin(void);

// MARK: - Bundle.c: the description in the bundle

enum Toolkit { toolkitX11, toolkitGTK2, toolkitOwn };

struct Bundle {
  const char *pluginURI, *uiURI;
  /// The folders with a slash at their ends, and the library.
  const char *uiFolder, *library;
  enum Toolkit toolkit;
  bool isFixedSize;
};

/// Reads the description of a plug-in and chooses one of its windows, or refuses.
struct Bundle Bundle_read(const char *pluginURI, const char *folder);
/// The index of a port, by its symbol; LV2UI_INVALID_PORT_INDEX if there is none.
uint32_t Bundle_port(const char *symbol);
/// True if a port is a control port.
bool Bundle_isControl(uint32_t port);
/// Converts a parameter's value to the value of its port, and back; a choice among names is counted from 0.
float Bundle_portValue(uint32_t port, double parameterValue);
double Bundle_parameterValue(uint32_t port, float portValue);

// MARK: - Features.c: the functions for the window's library

/// Sizes the window; the toolkit sets it before the library makes a window.
extern int (*Features_resize)(int width, int height);
/// The features for the library; `parent` is the X window to draw in, or 0.
const LV2_Feature *const *Features_make(double sampleRate, float scale, const char *title, uintptr_t parent);
/// True if a required feature is available.
bool Features_offer(const char *uri);
/// Sets a port; the library calls it.
void Features_write(LV2UI_Controller controller, uint32_t port, uint32_t size, uint32_t protocol, const void *value);

// MARK: - Interface.c: the library and its one window

struct Interface {
  const LV2UI_Descriptor *descriptor;
  LV2UI_Handle handle;
  LV2UI_Widget widget;
  const LV2UI_Idle_Interface *idle;
  const LV2UI_Show_Interface *show;
  const LV2UI_Resize *resize;
};

/// Loads the library and makes its window, or refuses.
struct Interface Interface_open(const struct Bundle *bundle, const LV2_Feature *const *features);
/// Passes on new records, and lets the library draw; false once the window is closed.
bool Interface_work(struct Interface *interface);
/// Tells the command that the window was closed, and frees it.
void Interface_close(struct Interface *interface);

// MARK: - The toolkits: each shows the window until it is closed

struct Arguments {
  struct Bundle bundle;
  double sampleRate;
  const char *title;
};

enum { framesPerSecond = 30, frameMilliseconds = 1000 / framesPerSecond };

void X11Window_run(const struct Arguments *arguments);
void GTK2Window_run(const struct Arguments *arguments);
void OwnWindow_run(const struct Arguments *arguments);
