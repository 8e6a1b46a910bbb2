// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults that Swift's render check would not let a plug-in commit, for the test plug-in that commits them.
#pragma once

#include <stdint.h>

#define CFAULTS_VOUCHED __attribute__((swift_attr("@_noLocks")))

/// Ends the process with a status.
CFAULTS_VOUCHED void CFaults_exit(int status);
/// Writes where nothing is mapped.
CFAULTS_VOUCHED void CFaults_crash(void);
/// Ends the process with a signal.
CFAULTS_VOUCHED void CFaults_raise(int signal);
/// Computes for so long, or without end when `milliseconds` is negative.
CFAULTS_VOUCHED void CFaults_loop(int milliseconds);
/// Sleeps for so long.
CFAULTS_VOUCHED void CFaults_sleep(int milliseconds);
/// Allocates memory and frees it again.
CFAULTS_VOUCHED void CFaults_allocate(void);
/// Limits the process to 4 GiB of address space and takes all of it.
CFAULTS_VOUCHED void CFaults_hoardMemory(void);
/// Limits the process to 64 descriptors and takes all of them.
CFAULTS_VOUCHED void CFaults_hoardDescriptors(void);
/// Takes 8 MiB, writes to all of it, and never frees it.
CFAULTS_VOUCHED void CFaults_leakMuch(void);
/// Starts a hundred processes that do nothing, or as many as it may.
CFAULTS_VOUCHED void CFaults_forkMany(void);
/// Starts a thousand threads with small stacks that do nothing, or as many as it may.
CFAULTS_VOUCHED void CFaults_startManyThreads(void);
/// Starts four threads that compute without end.
CFAULTS_VOUCHED void CFaults_startBusyThreads(void);
/// Takes a mutex that no other thread wants, and gives it back.
CFAULTS_VOUCHED void CFaults_lock(void);
/// Opens a file, reads from it and closes it.
CFAULTS_VOUCHED void CFaults_readFile(void);
/// A number between -1 and 1 that cannot be predicted.
CFAULTS_VOUCHED float CFaults_noise(void);

/// The name of the library's own file, without its folder.
void CFaults_ownFileName(uint8_t *name, int32_t byteCount);
/// Whether this process is the host's, and no extension's.
int CFaults_isInHost(void);
/// How often plug-ins of the same host have called this, this call included.
int CFaults_countOpening(void);
/// Becomes the only instance of its host; 0 when another one exists.
int CFaults_claimInstance(void);
void CFaults_releaseInstance(void);

/// Whether the last owner died without `CFaults_tidyUp`, inside a block (1) or between two (0).
///
/// When it returns 0 this process becomes the owner.
int CFaults_mourn(int wasInsideBlock);
void CFaults_tidyUp(void);
/// Notes whether this process is inside a block, for the next process that calls `CFaults_mourn`.
CFAULTS_VOUCHED void CFaults_setInsideBlock(int isInside);

/// Notes and tells whether a kernel exists.
void CFaults_setRendering(int isRendering);
int CFaults_isRendering(void);

void CFaults_leakMemory(int byteCount);
void CFaults_leakDescriptor(void);
void CFaults_leakThread(void);
/// Starts a process that lives on for 20 seconds with no descriptor of this one.
void CFaults_leaveProcess(void);
/// Starts a process that lives on for 20 seconds with all descriptors of this one; writes its identifier to a file.
void CFaults_leaveHeir(const char *path);
