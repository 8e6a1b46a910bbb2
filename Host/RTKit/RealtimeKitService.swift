// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The interface of rtkit, `org.freedesktop.RealtimeKit1` on the system bus. One thread at a time.

import CDBus

/// A private connection to rtkit.
final class RealtimeKitService: @unchecked Sendable {
    // SAFETY: constants, and a connection that one thread at a time uses; the caller holds a lock.
    /// The highest priority of rtkit.
    let highestPriority: Int32
    /// The microseconds that a real-time thread may run without sleep.
    let longestRun: UInt64
    private let connection: OpaquePointer

    private static let name = "org.freedesktop.RealtimeKit1"
    private static let path = "/org/freedesktop/RealtimeKit1"
    /// The milliseconds within which a reply must come.
    ///
    /// The system may have to start the service first.
    private static let patience: Int32 = 3000

    /// D-Bus codes for types in a message.
    private enum TypeCode {
        static let int32 = Int32(UInt8(ascii: "i"))
        static let uint32 = Int32(UInt8(ascii: "u"))
        static let int64 = Int32(UInt8(ascii: "x"))
        static let uint64 = Int32(UInt8(ascii: "t"))
        static let string = Int32(UInt8(ascii: "s"))
    }

    /// Connects to the system bus and reads rtkit's limits.
    init() throws(RealtimeKit.Refusal) {
        connection = try Self.reported { dbus_bus_get_private(DBUS_BUS_SYSTEM, &$0) }
        // By default libdbus ends this process when the bus goes away.
        dbus_connection_set_exit_on_disconnect(connection, 0)
        do throws(RealtimeKit.Refusal) {
            highestPriority = Int32(clamping: try Self.property("MaxRealtimePriority", connection))
            longestRun = UInt64(clamping: try Self.property("RTTimeUSecMax", connection))
        } catch {
            Self.close(connection)
            throw error
        }
    }

    deinit { Self.close(connection) }

    /// Gives a priority to a thread of any process of this user.
    func give(_ priority: Int32, to thread: Int32, of process: Int32) throws(RealtimeKit.Refusal) {
        let answer = try Self.answer(to: "MakeThreadRealtimeWithPID", of: Self.name, connection) { arguments in
            var (process, thread, priority) = (UInt64(process), UInt64(thread), UInt32(priority))
            dbus_message_iter_append_basic(&arguments, TypeCode.uint64, &process)
            dbus_message_iter_append_basic(&arguments, TypeCode.uint64, &thread)
            dbus_message_iter_append_basic(&arguments, TypeCode.uint32, &priority)
        }
        dbus_message_unref(answer)
    }

    private static func property(_ property: String, _ connection: OpaquePointer) throws(RealtimeKit.Refusal) -> Int64 {
        let answer = try answer(to: "Get", of: "org.freedesktop.DBus.Properties", connection) { arguments in
            for text in [name, property] {
                text.withCString { text in
                    var text: UnsafePointer<CChar>? = text
                    dbus_message_iter_append_basic(&arguments, TypeCode.string, &text)
                }
            }
        }
        defer { dbus_message_unref(answer) }
        var variant = DBusMessageIter()
        var value = DBusMessageIter()
        dbus_message_iter_init(answer, &variant)
        guard dbus_message_iter_get_arg_type(&variant) == Int32(UInt8(ascii: "v")) else { throw .strange }
        dbus_message_iter_recurse(&variant, &value)
        var number = DBusBasicValue()
        switch dbus_message_iter_get_arg_type(&value) {
        case TypeCode.int32:
            dbus_message_iter_get_basic(&value, &number)
            return Int64(number.i32)
        case TypeCode.int64:
            dbus_message_iter_get_basic(&value, &number)
            return Int64(number.i64)
        default: throw .strange
        }
    }

    /// Calls a method and waits for the reply, which the caller releases.
    private static func answer(
        to method: String, of interface: String, _ connection: OpaquePointer, arguments: (inout DBusMessageIter) -> Void
    ) throws(RealtimeKit.Refusal) -> OpaquePointer {
        guard let message = dbus_message_new_method_call(name, path, interface, method) else { throw .strange }
        defer { dbus_message_unref(message) }
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        arguments(&iterator)
        return try reported { dbus_connection_send_with_reply_and_block(connection, message, patience, &$0) }
    }

    /// Returns the result of a call, or throws the reported error.
    private static func reported(
        _ call: (inout DBusError) -> OpaquePointer?
    ) throws(RealtimeKit.Refusal) -> OpaquePointer {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        if let result = call(&error) { return result }
        let (name, reason) = (error.name.map { String(cString: $0) }, error.message.map { String(cString: $0) })
        throw RealtimeKit.Refusal(answer: answer(toErrorNamed: name ?? ""), reason: reason ?? "no answer")
    }

    /// Translates rtkit's errors.
    ///
    /// An error means one of these: too many requests, none allowed for this user, too many processes or threads, or a wrong
    /// thread.
    private static func answer(toErrorNamed name: String) -> RealtimeKit.Answer {
        switch name {
        case "org.freedesktop.DBus.Error.AccessDenied", "org.freedesktop.DBus.Error.NoMemory": .busy
        case "org.freedesktop.DBus.Error.Failed": .refused
        default: .unavailable
        }
    }

    private static func close(_ connection: OpaquePointer) {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }
}

extension RealtimeKit.Refusal {
    fileprivate static let strange = RealtimeKit.Refusal(answer: .unavailable, reason: "rtkit speaks another language")
}
