// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Notifies a program that the device has changed. A thread of Dispatch's.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph
import Foundation

extension NSNotification.Name {
    /// Posted when the device of an engine has changed, with the engine as its object.
    ///
    /// The engine follows the device by itself and keeps running: the program need not restart it.
    public static let AVAudioEngineConfigurationChange: NSNotification.Name = {
        let name = NSNotification.Name("AVAudioEngineConfigurationChangeNotification")
        // No lock of the engine is held here, so an observer may use the engine in any way.
        AudioEngine.observeConfigurations { engine in
            DispatchQueue.global().async { NotificationCenter.default.post(name: name, object: engine) }
        }
        return name
    }()
}
