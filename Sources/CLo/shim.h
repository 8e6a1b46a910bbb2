// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Only messages of liblo: sockets and bundles are our own, so that senders are known and everything has a limit.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <lo/lo_types.h>
#include <lo/lo_errors.h>
#include <lo/lo_lowlevel.h>
