// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Kinds of files, and status codes of streams, by Core Audio's names. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A kind of file.
public typealias AudioFileTypeID = UInt32

/// WAV; the extension of a name decides between these three.
public let kAudioFileWAVEType = AudioFileTypeID(code: "WAVE")
/// Apple's CAF.
public let kAudioFileCAFType = AudioFileTypeID(code: "caff")
/// Ogg with Opus.
public let kAudioFileOggType = AudioFileTypeID(code: "Oggf")

/// A stream has no data yet: a status for programs' own code; nothing here reports it.
public let kAudioFileStreamError_DataUnavailable = OSStatus(bitPattern: UInt32(code: "more"))
/// Something went wrong with a stream: a status for programs' own code; nothing here reports it.
public let kAudioFileStreamError_UnspecifiedError = OSStatus(bitPattern: UInt32(code: "wht?"))
