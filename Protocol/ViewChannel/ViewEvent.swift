// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The messages between host and view, as values and as datagrams. Control threads.

import AudioUnits
import CWireLayout
import Cells
import Wire

/// Keys that are held beside another one.
public struct ViewModifiers: OptionSet, Hashable, Sendable {
    /// The keys as bits, for datagrams.
    public let rawValue: UInt16
    /// Makes a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Shift.
    public static let shift = ViewModifiers(rawValue: 1)
    /// Alt, or Meta.
    public static let alt = ViewModifiers(rawValue: 2)
    /// Control.
    public static let control = ViewModifiers(rawValue: 4)
}

/// A key of the keyboard.
public enum ViewKey: Hashable, Sendable {
    /// A key that writes a character.
    case character(Unicode.Scalar)
    /// An arrow.
    case up, down, left, right
    /// A key that moves far.
    case home, end, pageUp, pageDown
    /// A key that removes.
    case delete, backspace
    /// Any other key with a name.
    case enter, escape, tab

    /// The keys without a character, from 1 on.
    private static let named: [ViewKey] = [
        .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .delete, .backspace, .enter, .escape, .tab,
    ]

    /// The number of the key in datagrams.
    var number: UInt32 {
        if case .character(let character) = self { return character.value }
        return UInt32(CWireLayout_viewNamedKeys) + UInt32(1 + (Self.named.firstIndex(of: self) ?? 0))
    }

    init?(number: UInt32) {
        let base = UInt32(CWireLayout_viewNamedKeys)
        if number > base, number - base <= Self.named.count {
            self = Self.named[Int(number - base) - 1]
        } else if let character = Unicode.Scalar(number) {
            self = .character(character)
        } else {
            return nil
        }
    }
}

/// An act of the person with the mouse.
public enum ViewMouseAction: UInt32, Sendable {
    /// The button goes down.
    case press
    /// The button goes up.
    case release
    /// The mouse moves while the button is down.
    case drag
    /// The wheel turns away from the person.
    case wheelUp
    /// The wheel turns towards the person.
    case wheelDown
}

/// A message from the host to a view.
public enum ViewEvent: Hashable, Sendable {
    /// The view gets this size, on a screen with this number of colours and cells of this size in pixels.
    case size(ViewSize, colorCount: Int, cell: PixelSize = .none)
    /// A key was pressed.
    case key(ViewKey, ViewModifiers)
    /// The mouse was used at a cell, which may lie one cell beyond the edge while the button is down.
    case mouse(ViewMouseAction, column: Int, row: Int, ViewModifiers)
    /// True if keys go to the view.
    case focus(Bool)
    /// A parameter was set elsewhere, not by the view.
    case value(address: UInt64, Double)
    /// The host asks whether the view is alive.
    case look(UInt32)

    /// The event as a datagram.
    package var bytes: [UInt8] {
        var message = CWireLayout_ViewMessage()
        switch self {
        case .size(let size, let colorCount, let cell):
            message.kind = UInt16(CWireLayout_viewSize)
            (message.a, message.b, message.c) = (
                UInt32(clamping: size.columnCount), UInt32(clamping: size.rowCount), UInt32(clamping: colorCount)
            )
            message.address = UInt64(UInt16(clamping: cell.width)) | UInt64(UInt16(clamping: cell.height)) << 16
        case .key(let key, let modifiers):
            (message.kind, message.modifiers, message.a) = (UInt16(CWireLayout_viewKey), modifiers.rawValue, key.number)
        case .mouse(let action, let column, let row, let modifiers):
            (message.kind, message.modifiers) = (UInt16(CWireLayout_viewMouse), modifiers.rawValue)
            message.a = action.rawValue
            (message.b, message.c) = (UInt32(bitPattern: Int32(clamping: column)), UInt32(bitPattern: Int32(clamping: row)))
        case .focus(let isFocused): (message.kind, message.a) = (UInt16(CWireLayout_viewFocus), isFocused ? 1 : 0)
        case .value(let address, let value):
            (message.kind, message.address, message.value) = (UInt16(CWireLayout_viewValue), address, value)
        case .look(let number): (message.kind, message.a) = (UInt16(CWireLayout_viewLook), number)
        }
        return withUnsafeBytes(of: message) { Array($0) }
    }

    /// Reads a datagram; nil for an unknown one.
    package init?(bytes: [UInt8]) {
        guard let message = CWireLayout_ViewMessage(bytes: bytes) else { return nil }
        let modifiers = ViewModifiers(rawValue: message.modifiers)
        switch Int(message.kind) {
        case CWireLayout_viewSize:
            let (columns, rows) = (Int(message.a), Int(message.b))
            let most = Int(CWireLayout_maximumViewCellCount)
            guard columns > 0, rows > 0, columns <= most, rows <= most, columns * rows <= most else { return nil }
            let cell = PixelSize(width: Int(message.address & 0xFFFF), height: Int(message.address >> 16 & 0xFFFF))
            self = .size(ViewSize(columnCount: columns, rowCount: rows), colorCount: Int(message.c), cell: cell)
        case CWireLayout_viewKey:
            guard let key = ViewKey(number: message.a) else { return nil }
            self = .key(key, modifiers)
        case CWireLayout_viewMouse:
            guard let action = ViewMouseAction(rawValue: message.a) else { return nil }
            self = .mouse(
                action, column: Int(Int32(bitPattern: message.b)), row: Int(Int32(bitPattern: message.c)), modifiers)
        case CWireLayout_viewFocus: self = .focus(message.a != 0)
        case CWireLayout_viewValue: self = .value(address: message.address, message.value)
        case CWireLayout_viewLook: self = .look(message.a)
        default: return nil
        }
    }
}

/// A message from a view to the host.
package enum ViewNotice: Hashable, Sendable {
    /// A new picture is ready.
    case drawn
    /// The person sets a parameter.
    case set(address: UInt64, Double)
    /// The person has taken hold of a parameter, or has released it.
    case touch(address: UInt64, isHeld: Bool)
    /// The view's answer to `look`.
    case here(UInt32)

    /// The notice as a datagram.
    package var bytes: [UInt8] {
        var message = CWireLayout_ViewMessage()
        switch self {
        case .drawn: message.kind = UInt16(CWireLayout_viewDrawn)
        case .set(let address, let value):
            (message.kind, message.address, message.value) = (UInt16(CWireLayout_viewSet), address, value)
        case .touch(let address, let isHeld):
            (message.kind, message.address, message.a) = (UInt16(CWireLayout_viewTouch), address, isHeld ? 1 : 0)
        case .here(let number): (message.kind, message.a) = (UInt16(CWireLayout_viewHere), number)
        }
        return withUnsafeBytes(of: message) { Array($0) }
    }

    /// Reads a datagram; nil for an unknown one.
    package init?(bytes: [UInt8]) {
        guard let message = CWireLayout_ViewMessage(bytes: bytes) else { return nil }
        switch Int(message.kind) {
        case CWireLayout_viewDrawn: self = .drawn
        case CWireLayout_viewSet: self = .set(address: message.address, message.value)
        case CWireLayout_viewTouch: self = .touch(address: message.address, isHeld: message.a != 0)
        case CWireLayout_viewHere: self = .here(message.a)
        default: return nil
        }
    }
}

extension CWireLayout_ViewMessage {
    fileprivate init?(bytes: [UInt8]) {
        guard bytes.count == MemoryLayout<Self>.size else { return nil }
        self = bytes.withUnsafeBytes { $0.loadUnaligned(as: Self.self) }
    }
}
