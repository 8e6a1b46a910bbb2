// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The modules that come with `import PluginSDK`.

@_exported import AudioUnits
@_exported import Cells
@_exported import Realtime
@_exported import ViewChannel
