// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Exports names with `import AudioGraph`: the vocabulary of units, formats, and blocks of audio. No thread.

@_exported import AudioFormats
@_exported import AudioUnits
@_exported import Realtime

@_exported import enum AudioFiles.AudioFileError
@_exported import enum AudioFiles.SampleEncoding
@_exported import enum MIDIFiles.MIDIFileError
@_exported import struct PluginHosting.Component
@_exported import struct PluginHosting.ComponentInstantiationOptions
@_exported import enum PluginHosting.HostingError
@_exported import class PluginHosting.PluginUnit
@_exported import enum RateConversion.RateQuality
@_exported import protocol Rendering.AudioDriver
@_exported import struct Rendering.MIDIInputMessage
@_exported import struct Rendering.MIDIMapping
@_exported import class Rendering.NullDriver
@_exported import struct Rendering.TempoMap
@_exported import struct Rendering.Transport
