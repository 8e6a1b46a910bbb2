// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The permission of a program to record, and its muted input. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import Foundation
import PipeWireIO

/// The permission of a program to record, and its muted input.
public final class AVAudioApplication: NSObject, Sendable {
    private static let application = AVAudioApplication()

    /// The present program.
    public class var shared: AVAudioApplication { application }

    /// The permission to record.
    public enum recordPermission: Int, Sendable {
        /// The user has not been asked.
        case undetermined = 0x756E_6474
        /// The program may not record.
        case denied = 0x6465_6E79
        /// The program may record: always the case here.
        case granted = 0x6772_6E74
    }

    /// The permission to record: always granted.
    public var recordPermission: recordPermission { .granted }

    /// Grants permission: calls the handler with true, on a thread of Dispatch's.
    public class func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
        AVAudioSession.sharedInstance().requestRecordPermission(response)
    }

    /// Grants permission: always true.
    public class func requestRecordPermission() async -> Bool { true }

    /// True if all engines of the program hear silence instead of their inputs.
    public var isInputMuted: Bool { PipeWireRequests.isInputMuted }

    /// Mutes or unmutes the inputs of all engines of the program, from the next cycle on.
    public func setInputMuted(_ muted: Bool) throws {
        guard muted != isInputMuted else { return }
        PipeWireRequests.isInputMuted = muted
        NotificationCenter.default.post(
            name: Self.inputMuteStateChangeNotification, object: self, userInfo: [Self.muteStateKey: NSNumber(value: muted)])
    }

    /// The inputs have been muted or unmuted.
    public static let inputMuteStateChangeNotification = NSNotification.Name("AVAudioApplicationInputMuteStateChangeNotification")
    /// The key for whether the inputs are muted.
    public static let muteStateKey = "AVAudioApplicationMuteStateKey"
}
