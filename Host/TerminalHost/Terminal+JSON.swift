// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The JSON of values that commands print. Any thread.

import Console
import PluginHosting
import Printing

extension Terminal {
    /// Encodes a value as JSON with sorted keys, on several lines, without a line feed at the end.
    ///
    /// Characters that a terminal might hide are written as `\uXXXX`, so that none is lost.
    static func json(_ value: some Encodable) throws -> String {
        PrintableText.escaped(json: String(decoding: try ReadableJSON.encode(value), as: UTF8.self))
    }
}
