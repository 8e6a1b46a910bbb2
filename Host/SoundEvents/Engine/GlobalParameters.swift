// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parameters that all events of an engine share. Any thread but the render thread.

import Synchronization

/// A number that all events share.
final class GlobalNumber: Sendable {
    let parameter: NumberParameter
    // SAFETY: only the render thread uses the value; others send commands.
    nonisolated(unsafe) let ramp: UnsafeMutablePointer<Ramp>

    init(_ parameter: NumberParameter) {
        self.parameter = parameter
        ramp = .allocate(capacity: 1)
        ramp.initialize(to: Ramp(parameter.value))
    }

    deinit { ramp.deallocate() }
}

/// A text that all events share.
final class GlobalText: Sendable {
    private let text: Mutex<String>

    init(_ parameter: TextParameter) { text = Mutex(parameter.value) }

    var value: String {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}

/// The shared parameters of an engine, by their names.
struct GlobalParameters: Sendable {
    var numbers: [String: GlobalNumber] = [:]
    var texts: [String: GlobalText] = [:]

    func has(_ id: String) -> Bool { numbers[id] != nil || texts[id] != nil }
}
