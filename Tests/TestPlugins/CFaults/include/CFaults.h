// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults that Swift's render check would not let a plug-in commit, for the test plug-in that commits them.
#pragma once

#define CFAULTS_VOUCHED __attribute__((swift_attr("@_noLocks")))

/// Ends the process with a status.
CFAULTS_VOUCHED void CFaults_exit(int status);
/// Writes where nothing is mapped.
CFAULTS_VOUCHED void CFaults_crash(void);
/// Ends the process with a signal.
CFAULTS_VOUCHED void CFaults_raise(int signal);
/// Computes without end, or for so long.
CFAULTS_VOUCHED void CFaults_loop(int milliseconds);
/// Sleeps for so long.
CFAULTS_VOUCHED void CFaults_sleep(int milliseconds);
/// Allocates memory and frees it again.
CFAULTS_VOUCHED void CFaults_allocate(void);
