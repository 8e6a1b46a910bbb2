// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in's library that speaks versions 7 to 9 of the in-process interface, none of which exists yet. Test only.
#include "CPluginInterface.h"

static const struct CPluginInterface_Table table = {
    .magic = CWireLayout_magic, .minimumVersion = 7, .maximumVersion = 9};

const struct CPluginInterface_Table *bulkhead_plugin(void);
const struct CPluginInterface_Table *bulkhead_plugin(void) { return &table; }
