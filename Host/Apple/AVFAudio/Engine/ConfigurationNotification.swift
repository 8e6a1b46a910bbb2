// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells a program by notification that the device has changed. A thread of Dispatch's.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph
import Foundation

extension NSNotification.Name {
    /// Posted when the device of an engine has changed, with the engine as its object.
    ///
    /// The engine follows the device by itself and runs on: the program need not start it again.
    public static let AVAudioEngineConfigurationChange: NSNotification.Name = {
        let name = NSNotification.Name("AVAudioEngineConfigurationChangeNotification")
        // The engine's locks are free there: an observer may do with the engine what it likes.
        AudioEngine.observeConfigurations { engine in
            DispatchQueue.global().async { NotificationCenter.default.post(name: name, object: engine) }
        }
        return name
    }()
}
