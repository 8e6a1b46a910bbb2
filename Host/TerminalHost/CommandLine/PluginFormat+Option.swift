// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The option --format of several commands. Main thread.

import PluginHosting

extension PluginFormat {
    /// The option --format, in upper or lower case.
    static func option<Target>(
        _ help: String, _ set: @escaping (inout Target, PluginFormat) -> Void
    ) -> OptionReader<Target> {
        let names = allCases.map(\.rawValue)
        return .text("--format", "F", offering: .choice(names), help) { target, text in
            guard let format = PluginFormat(rawValue: text.lowercased()) else {
                throw CommandError.usage("--format takes \(Arguments.list(names)), not \"\(text)\".", command: nil)
            }
            set(&target, format)
        }
    }
}
