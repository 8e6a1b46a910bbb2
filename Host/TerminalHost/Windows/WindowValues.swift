// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values of a unit's ports in the host and in its window. Main thread.

import Control
import JSON

/// Exchanges values between a host and a window, without echoes.
///
/// The bridge uses a port's index as the address of its parameter, so that the two sides need no common names.
struct WindowValues {
    private struct Port {
        let path: String
        let range: ClosedRange<Double>
        let isReadOnly: Bool
        /// The value in the host.
        var hosts: Double
        /// The value in the window; nil before the window knows one.
        var windows: Double?
        /// The time at which the window set it last, in nanoseconds.
        var touched: UInt64 = 0
        /// The value from the window that the host does not know yet.
        var wanted: Double?
        /// The request that waits for the host's answer.
        var request: Int?
    }

    /// The time for which the window does not get a value that it has set, because the host's values are older than the user's.
    static let restNanoseconds: UInt64 = 300_000_000

    private var ports: [UInt32: Port] = [:]
    private var numbers: [String: UInt32] = [:]
    /// The values that the window sets before the host's list of parameters comes; nil after the list.
    private var early: [UInt32: (value: Double, time: UInt64)]? = [:]
    /// The most ports of these early values.
    private static let mostEarly = 4096

    /// Takes the host's list of parameters, and keeps the values that the window shows.
    mutating func take(parameters: JSONValue) {
        let former = ports
        (ports, numbers) = ([:], [:])
        for row in parameters.list ?? [] {
            guard let path = row["path"]?.text, let value = row["value"]?.number,
                let number = row["address"]?.number.flatMap({ UInt32(exactly: $0) }),
                let low = row["minimum"]?.number, let high = row["maximum"]?.number, low <= high
            else { continue }
            var port = Port(path: path, range: low...high, isReadOnly: row["isReadOnly"]?.flag ?? false, hosts: value)
            if let old = former[number], old.path == path {
                (port.windows, port.touched, port.wanted, port.request) = (old.windows, old.touched, old.wanted, old.request)
            }
            ports[number] = port
            numbers[path] = number
        }
        let set = early ?? [:]
        early = nil
        for (number, setting) in set { take(windowValue: setting.value, of: number, at: setting.time) }
    }

    /// Takes a value from the host.
    mutating func take(value: Double, of path: String) {
        guard let number = numbers[path] else { return }
        ports[number]?.hosts = value
    }

    /// Takes a value from the window, unless the port is read-only.
    mutating func take(windowValue value: Double, of number: UInt32, at now: UInt64) {
        if let count = early?.count {
            if count < Self.mostEarly { early?[number] = (value, now) }
            return
        }
        guard var port = ports[number], !port.isReadOnly else { return }
        (port.windows, port.touched) = (value, now)
        let wanted = min(max(value, port.range.lowerBound), port.range.upperBound)
        // A window often repeats a value that it has just received.
        port.wanted = port.request == nil && Self.isSame(wanted, port.hosts) ? nil : wanted
        ports[number] = port
    }

    /// The settings to request of the host now: the last one of each port, one at a time.
    ///
    /// `request` gives the number of each request.
    mutating func settings(_ request: () -> Int) -> [(request: Int, path: String, value: Double)] {
        var settings: [(Int, String, Double)] = []
        for (number, port) in ports {
            guard port.request == nil, let wanted = port.wanted else { continue }
            let id = request()
            ports[number]?.request = id
            ports[number]?.wanted = nil
            settings.append((id, port.path, wanted))
        }
        return settings
    }

    /// Takes the host's answer to a setting: the accepted value; nil for a refusal.
    mutating func take(answer value: Double?, to request: Int) {
        guard let number = ports.first(where: { $0.value.request == request })?.key else { return }
        ports[number]?.request = nil
        if let value { ports[number]?.hosts = value }
    }

    /// The values that the window does not show yet, and may get now.
    func news(at now: UInt64) -> [(port: UInt32, value: Double)] {
        ports.compactMap { number, port in
            guard port.request == nil, port.wanted == nil, now >= port.touched + Self.restNanoseconds || port.windows == nil,
                !(port.windows.map { Self.isSame($0, port.hosts) } ?? false)
            else { return nil }
            return (number, port.hosts)
        }
    }

    /// Notes that the window has received a value.
    mutating func told(_ number: UInt32, _ value: Double) { ports[number]?.windows = value }

    /// True if the values are equal as floats, which ports are.
    private static func isSame(_ left: Double, _ right: Double) -> Bool { Float(left) == Float(right) }
}
