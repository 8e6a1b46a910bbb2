// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Messages alone: the sockets and the bundles are ours, so that senders are known and everything is bounded.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <lo/lo_types.h>
#include <lo/lo_errors.h>
#include <lo/lo_lowlevel.h>
