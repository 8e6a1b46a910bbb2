// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Values as JSON, as the commands print them. Any thread.

import Console
import PluginHosting

extension Terminal {
    /// Encodes a value as JSON with sorted keys, on several lines, without a line feed at the end.
    static func json(_ value: some Encodable) throws -> String { String(decoding: try ReadableJSON.encode(value), as: UTF8.self) }
}
