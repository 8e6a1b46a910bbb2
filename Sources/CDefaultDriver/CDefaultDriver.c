// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An empty source file, because a target needs one; the header has the code.
#include "CDefaultDriver.h"
