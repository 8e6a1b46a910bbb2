// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Compiles the assertions of the layout; there is no code.
#include "CPluginInterface.h"
#include "CWireLayout.h"
