// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts a command's output to figures, or to the reason why there are none. Any thread.

import FoundationEssentials

/// The reason why a benchmark has no figures, as a sentence.
package struct BenchmarkError: Error, Equatable, CustomStringConvertible {
    /// The sentence.
    package let description: String
    /// Makes an error from its sentence.
    package init(_ description: String) { self.description = description }
}

/// Figures printed as JSON.
package enum Figures {
    /// Decodes text; throws a sentence with the command and the defect of its output.
    package static func decode<Facts: Decodable>(
        _ type: Facts.Type = Facts.self, from text: String, printedBy command: String
    ) throws(BenchmarkError) -> Facts {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch let error as DecodingError {
            throw BenchmarkError("Couldn't read what `\(command)` printed: \(reason(error)).")
        } catch {
            throw BenchmarkError("Couldn't read what `\(command)` printed: \(error).")
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\"\(path(context.codingPath + [key]))\" is missing"
        case .typeMismatch(let type, let context): "\"\(path(context.codingPath))\" is no \(type)"
        case .valueNotFound(let type, let context): "\"\(path(context.codingPath))\" is null and should be a \(type)"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "it is no JSON" : "\"\(path(context.codingPath))\" cannot be read"
        @unknown default: "it has another shape than expected"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }.joined(separator: ".")
    }
}
