// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Exports names, one by one, with `import AudioGraph`: the vocabulary of units, formats, and blocks of audio. No thread.

@_exported import AudioFormats

@_exported import enum AudioFiles.AudioFileError
@_exported import enum AudioFiles.SampleEncoding
@_exported import struct AudioUnits.Bus
@_exported import struct AudioUnits.BusFormat
@_exported import struct AudioUnits.ChannelGroups
@_exported import struct AudioUnits.ComponentDescription
@_exported import enum AudioUnits.ComponentType
@_exported import struct AudioUnits.FactoryPreset
@_exported import struct AudioUnits.FourCharCode
@_exported import struct AudioUnits.FullState
@_exported import struct AudioUnits.MIDIMessage
@_exported import struct AudioUnits.NamedValue
@_exported import struct AudioUnits.Parameter
@_exported import struct AudioUnits.ParameterChange
@_exported import struct AudioUnits.ParameterFlags
@_exported import struct AudioUnits.ParameterGroup
@_exported import enum AudioUnits.ParameterNode
@_exported import struct AudioUnits.ParameterObserverToken
@_exported import struct AudioUnits.ParameterTree
@_exported import enum AudioUnits.ParameterUnit
@_exported import class AudioUnits.ParameterValues
@_exported import enum AudioUnits.RenderEvent
@_exported import struct AudioUnits.TextProperty
@_exported import struct AudioUnits.UnitDescription
@_exported import enum AudioUnits.UnitError
@_exported import struct AudioUnits.UnitFlags
@_exported import struct AudioUnits.UnitVersion
@_exported import struct MIDIFiles.MIDIFileDamage
@_exported import enum MIDIFiles.MIDIFileError
@_exported import struct PluginHosting.Component
@_exported import struct PluginHosting.ComponentInstantiationOptions
@_exported import enum PluginHosting.HostingError
@_exported import class PluginHosting.PluginUnit
@_exported import enum RateConversion.RateQuality
@_exported import struct Realtime.AudioBlock
@_exported import struct Realtime.AudioBuffer
@_exported import enum Realtime.Maths
@_exported import struct Realtime.SmoothedValue
@_exported import protocol Rendering.AudioDriver
@_exported import struct Rendering.MIDIInputMessage
@_exported import struct Rendering.MIDIMapping
@_exported import class Rendering.NullDriver
@_exported import struct Rendering.TempoMap
@_exported import struct Rendering.Transport
@_exported import class Spatial.HeadSet
@_exported import struct Spatial.HeadSetError
