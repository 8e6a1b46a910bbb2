// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What every test of this target stands on.

@_exported import HostingTestSupport
@_exported import TestSupport
