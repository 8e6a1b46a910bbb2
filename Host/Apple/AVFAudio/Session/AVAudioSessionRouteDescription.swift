// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The input and output devices. Any thread.

import Foundation
import PipeWireIO

/// The input and output devices: the default source and the default sink.
public final class AVAudioSessionRouteDescription: NSObject, Sendable {
    /// The source; empty if there is none.
    public let inputs: [AVAudioSessionPortDescription]
    /// The sink; empty if there is none.
    public let outputs: [AVAudioSessionPortDescription]

    init(_ list: PipeWireDeviceList, preferredInput: String? = nil) {
        let preferred = list.sources.first { $0.name == preferredInput }
        inputs = [preferred ?? list.defaultSource].compactMap { $0.map(AVAudioSessionPortDescription.init) }
        outputs = [list.defaultSink].compactMap { $0.map(AVAudioSessionPortDescription.init) }
    }

    /// True if both routes have the same devices.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionRouteDescription else { return false }
        return inputs == other.inputs && outputs == other.outputs
    }

    /// The hash of the devices.
    public override var hash: Int { (inputs + outputs).hashValue }

    /// The devices.
    public override var description: String { "inputs: \(inputs), outputs: \(outputs)" }
}
