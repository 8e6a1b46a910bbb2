// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a program may do with sound, and whether it hears anything. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

import Foundation
import PipeWireIO

/// What a program may do with sound, and whether it hears anything.
public final class AVAudioApplication: NSObject, Sendable {
    private static let application = AVAudioApplication()

    /// This program.
    public class var shared: AVAudioApplication { application }

    /// Whether a program may record.
    public enum recordPermission: Int, Sendable {
        /// The user has not been asked.
        case undetermined = 0x756E_6474
        /// It may not.
        case denied = 0x6465_6E79
        /// It may: the answer here, always.
        case granted = 0x6772_6E74
    }

    /// Whether the program may record: it may, always.
    public var recordPermission: recordPermission { .granted }

    /// Grants permission: calls the handler with true, on a thread of Dispatch's.
    public class func requestRecordPermission(completionHandler response: @escaping (Bool) -> Void) {
        AVAudioSession.sharedInstance().requestRecordPermission(response)
    }

    /// Grants permission: always true.
    public class func requestRecordPermission() async -> Bool { true }

    /// Whether all engines of the program hear silence in place of their inputs.
    public var isInputMuted: Bool { PipeWireRequests.isInputMuted }

    /// Has all engines of the program hear silence in place of their inputs, from the next cycle on.
    public func setInputMuted(_ muted: Bool) throws {
        guard muted != isInputMuted else { return }
        PipeWireRequests.isInputMuted = muted
        NotificationCenter.default.post(
            name: Self.inputMuteStateChangeNotification, object: self, userInfo: [Self.muteStateKey: NSNumber(value: muted)])
    }

    /// The inputs have been muted, or are heard again.
    public static let inputMuteStateChangeNotification = NSNotification.Name("AVAudioApplicationInputMuteStateChangeNotification")
    /// Whether the inputs are muted.
    public static let muteStateKey = "AVAudioApplicationMuteStateKey"
}
