// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A target needs a source file; all there is to say is in the header.
#include "CDefaultDriver.h"
