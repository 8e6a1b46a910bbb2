// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The notifications of a session, and their keys. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

extension AVAudioSession {
    /// Another program takes the device: never posted, because PipeWire mixes all programs.
    public static let interruptionNotification = NSNotification.Name("AVAudioSessionInterruptionNotification")

    /// A device has come or gone, or the user has chosen another one; `currentRoute` is the new route.
    ///
    /// Posted on a thread of Dispatch's, a tenth of a second after the first of several changes.
    public static let routeChangeNotification = NSNotification.Name("AVAudioSessionRouteChangeNotification")

    /// PipeWire has ended.
    ///
    /// Playing engines continue when it is back.
    public static let mediaServicesWereLostNotification = NSNotification.Name("AVAudioSessionMediaServicesWereLostNotification")

    /// PipeWire is back.
    public static let mediaServicesWereResetNotification = NSNotification.Name("AVAudioSessionMediaServicesWereResetNotification")

    /// Another program starts or stops playing: never posted; read `secondaryAudioShouldBeSilencedHint`.
    public static let silenceSecondaryAudioHintNotification =
        NSNotification.Name("AVAudioSessionSilenceSecondaryAudioHintNotification")
}

/// The key for the raw value of an `AVAudioSession.InterruptionType`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The key for the raw value of `AVAudioSession.InterruptionOptions`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The key for the raw value of an `AVAudioSession.InterruptionReason`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// The key for whether the program was suspended.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
/// The key for the raw value of an `AVAudioSession.RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The key for the former `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// The key for the raw value of an `AVAudioSession.SilenceSecondaryAudioHintType`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"
