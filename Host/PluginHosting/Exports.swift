// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The vocabulary that comes with `import PluginHosting`: units, blocks of audio, and the song position.

@_exported import AudioFormats
@_exported import AudioUnits
@_exported import Realtime

@_exported import enum Confinement.ConfinementGap
@_exported import struct LinuxSystem.SystemError
@_exported import struct Rendering.Transport
