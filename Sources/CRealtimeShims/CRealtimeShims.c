// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every function is inline in the header; a C target needs one source file to exist.
#include "CRealtimeShims.h"
