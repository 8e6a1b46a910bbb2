// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Descriptions of terminals, which the library has as macros and globals; and a forked process that restores the terminal.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/// Reads the description of a kind of terminal, such as "xterm"; false if there is none.
bool CTerminalShims_load(const char *kind, int terminal);

/// A capability that is a text, such as "smcup"; NULL if the terminal does not have it.
const char *CTerminalShims_text(const char *capability);

/// A capability that is a number, such as "colors"; negative if the terminal does not have it.
int CTerminalShims_number(const char *capability);

/// Starts a process that sleeps until this one ends in any way, and then restores the terminal: it writes `text`, and sets the
/// former settings.
///
/// Returns a descriptor, or a negative errno. A byte written to the descriptor dismisses the process; `CTerminalShims_dismiss`
/// does that.
int CTerminalShims_guard(int terminal, const struct termios *former, const char *text, size_t count, int *process);

/// Ends the process of `CTerminalShims_guard`, without a change of the terminal.
void CTerminalShims_dismiss(int descriptor, int process);
