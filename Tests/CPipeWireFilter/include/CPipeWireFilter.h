// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A client of PipeWire in the manner of its own examples: `pw_filter` nodes with DSP ports, and the two ends that time a chain
// of them. It is C, so that the client that Bulkhead is compared with is PipeWire's own work, and because PipeWire's interface
// is inline C and macros.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum {
  /// Ports a side: as many channels as the chains of `bulkhead measure` have.
  CPipeWireFilter_channelCount = 2,
  CPipeWireFilter_pageSize = 4096,
  CPipeWireFilter_mostGains = 64,
};

/// The version of the linked library.
const char *CPipeWireFilter_version(void);

/// A connection to the daemon that the environment names, and its nodes.
typedef struct CPipeWireFilter_Client CPipeWireFilter_Client;

/// A filter's figures, in memory that its process shares with another: `pageSize` bytes, all zero at first.
typedef void CPipeWireFilter_Page;
/// The node's number in the daemon; 0 until it has one.
uint32_t CPipeWireFilter_node(const CPipeWireFilter_Page *page);
/// The kernel's number of the thread that processes; 0 until it has processed.
int32_t CPipeWireFilter_dataThread(const CPipeWireFilter_Page *page);
/// Cycles that it has processed.
uint64_t CPipeWireFilter_cycleCount(const CPipeWireFilter_Page *page);

/// [control] Connects; NULL when the daemon does not answer within three seconds, with the reason in `text`.
CPipeWireFilter_Client *CPipeWireFilter_connect(char *text, uint32_t size);
void CPipeWireFilter_close(CPipeWireFilter_Client *client);
/// [control] Why the connection has failed, or NULL.
const char *CPipeWireFilter_failure(CPipeWireFilter_Client *client);

/// [control] Adds a node that multiplies each sample by `gain`. It writes its figures to `page`, which must outlive the client.
bool CPipeWireFilter_addGain(CPipeWireFilter_Client *client, const char *name, float gain, CPipeWireFilter_Page *page);

/// [control] Adds the two ends of a chain, processed by one thread. The head makes the signal. The tail takes the time from the
/// head's last sample to its own first, checks the signal and passes it on. `page` holds the thread's figures.
bool CPipeWireFilter_addEnds(CPipeWireFilter_Client *client, CPipeWireFilter_Page *page);
uint32_t CPipeWireFilter_head(CPipeWireFilter_Client *client);
uint32_t CPipeWireFilter_tail(CPipeWireFilter_Client *client);
/// [control] The number of the node of that name; 0 when there is none.
uint32_t CPipeWireFilter_nodeNamed(CPipeWireFilter_Client *client, const char *name);

/// [control] Links the outputs of a node to the inputs of another, one by one, and waits until they are ready. A session manager
/// links streams only, and no filters.
bool CPipeWireFilter_link(CPipeWireFilter_Client *client, uint32_t output, uint32_t input);
/// [control] Removes all links that this client has made.
void CPipeWireFilter_unlinkAll(CPipeWireFilter_Client *client);

/// What the tail has seen while it measured.
typedef struct {
  /// Cycles that were timed.
  uint32_t done;
  /// Timed cycles in which the signal was not the head's times the product of the gains.
  uint32_t wrong;
  /// Cycles that were not over when the next one began.
  uint32_t missed;
} CPipeWireFilter_Progress;

/// [control] Makes the head do the work of so many filters itself, after it has read the clock: the same chain in process. Only
/// while nothing is linked.
void CPipeWireFilter_setGainsInProcess(CPipeWireFilter_Client *client, const float *gains, uint32_t count);

/// [control] Times the next `count` cycles. `nanoseconds` has room for them and outlives the measurement.
void CPipeWireFilter_measure(CPipeWireFilter_Client *client, uint32_t *nanoseconds, uint32_t count, float product);
CPipeWireFilter_Progress CPipeWireFilter_progress(CPipeWireFilter_Client *client);
