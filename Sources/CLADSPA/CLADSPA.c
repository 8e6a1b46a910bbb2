// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Everything is inline; this file gives the target an object.
#include "CLADSPA.h"
