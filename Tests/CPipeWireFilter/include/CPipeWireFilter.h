// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A client of PipeWire as its own examples have one: `pw_filter` nodes with DSP ports, and the two ends that a chain of them is
// timed with. In C, because the client that Bulkhead is compared with should be nobody's work but PipeWire's, and because its
// interface is inline C and macros.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum {
  /// Ports a side, as many as the chains have that `bulkhead measure` measures.
  CPipeWireFilter_channelCount = 2,
  CPipeWireFilter_pageSize = 4096,
  CPipeWireFilter_mostGains = 64,
};

/// Of the library that is linked.
const char *CPipeWireFilter_version(void);

/// A connection to the daemon that the environment names, and its nodes.
typedef struct CPipeWireFilter_Client CPipeWireFilter_Client;

/// What a filter tells of itself, in memory that its process shares with another: `pageSize` bytes, all zero at first.
typedef void CPipeWireFilter_Page;
/// The node's number in the daemon; 0 until it has one.
uint32_t CPipeWireFilter_node(const CPipeWireFilter_Page *page);
/// The kernel's number of the thread that processes; 0 until it has processed.
int32_t CPipeWireFilter_dataThread(const CPipeWireFilter_Page *page);
/// Cycles that it has processed.
uint64_t CPipeWireFilter_cycleCount(const CPipeWireFilter_Page *page);

/// [control] NULL when nobody answers within three seconds; `text` says why then.
CPipeWireFilter_Client *CPipeWireFilter_connect(char *text, uint32_t size);
void CPipeWireFilter_close(CPipeWireFilter_Client *client);
/// [control] Why nothing works any more, or NULL.
const char *CPipeWireFilter_failure(CPipeWireFilter_Client *client);

/// [control] A node that multiplies each sample by `gain`. It tells of itself on `page`, which has to outlive the client.
bool CPipeWireFilter_addGain(CPipeWireFilter_Client *client, const char *name, float gain, CPipeWireFilter_Page *page);

/// [control] The two ends of a chain, processed by one thread: the head, which makes the signal, and the tail, which takes the
/// time from the head's last sample to its own first, looks at the signal and passes it on. `page` tells of the thread.
bool CPipeWireFilter_addEnds(CPipeWireFilter_Client *client, CPipeWireFilter_Page *page);
uint32_t CPipeWireFilter_head(CPipeWireFilter_Client *client);
uint32_t CPipeWireFilter_tail(CPipeWireFilter_Client *client);
/// [control] The number of the node of that name; 0 when there is none.
uint32_t CPipeWireFilter_nodeNamed(CPipeWireFilter_Client *client, const char *name);

/// [control] Links the outputs of a node to the inputs of another, one by one, and waits until they are active. A session
/// manager links streams only, and no filters.
bool CPipeWireFilter_link(CPipeWireFilter_Client *client, uint32_t output, uint32_t input);
/// [control] Removes all links that this client has made.
void CPipeWireFilter_unlinkAll(CPipeWireFilter_Client *client);

/// What the tail has seen while it measured.
typedef struct {
  /// Cycles that were timed.
  uint32_t done;
  /// Those of them in which the signal was not the head's times the product of the gains.
  uint32_t wrong;
  /// Cycles that were not over when the next one began.
  uint32_t missed;
} CPipeWireFilter_Progress;

/// [control] Has the head do the work of so many filters itself, after it has looked at the clock: the same chain in process.
/// While nothing is linked.
void CPipeWireFilter_setGainsInProcess(CPipeWireFilter_Client *client, const float *gains, uint32_t count);

/// [control] Times the next `count` cycles. `nanoseconds` has room for them and outlives the measurement.
void CPipeWireFilter_measure(CPipeWireFilter_Client *client, uint32_t *nanoseconds, uint32_t count, float product);
CPipeWireFilter_Progress CPipeWireFilter_progress(CPipeWireFilter_Client *client);
