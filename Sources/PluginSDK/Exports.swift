// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What `import PluginSDK` gives the author of a plug-in.

@_exported import AudioUnits
@_exported import Cells
@_exported import Realtime
@_exported import ViewChannel
