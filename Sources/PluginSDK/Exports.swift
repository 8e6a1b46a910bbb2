// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a plug-in author gets with `import PluginSDK`.

@_exported import AudioUnits
@_exported import Realtime
