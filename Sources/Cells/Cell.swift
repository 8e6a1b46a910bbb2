// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One character of a screen with its colours. Any thread.

/// The attributes of a character, beside its colours.
public struct CellAttributes: OptionSet, BitwiseCopyable, Hashable, Sendable {
    /// The attributes as bits.
    public let rawValue: UInt16

    /// Makes attributes from bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Bold, or brighter.
    public static let bold = CellAttributes(rawValue: 1)
    /// Fainter than the other text.
    public static let dim = CellAttributes(rawValue: 2)
    /// Underlined.
    public static let underlined = CellAttributes(rawValue: 4)
    /// With the colours of text and background exchanged.
    public static let reversed = CellAttributes(rawValue: 8)

    /// All bits with a meaning.
    static let known: CellAttributes = [.bold, .dim, .underlined, .reversed]
}

/// One character of a screen with its colours: 16 bytes without pointers, so that cells can lie in shared memory.
public struct Cell: BitwiseCopyable, Hashable, Sendable {
    /// The code point; 0 in the right half of a character that is two columns wide.
    public var codePoint: UInt32
    /// The colour of the text.
    public var foreground: CellColor
    /// The colour behind the text.
    public var background: CellColor
    /// The attributes of the character.
    public var attributes: CellAttributes
    /// A combining mark over the character; 0 for none.
    public var mark: UInt16

    /// Makes a cell of one character, which is not checked.
    public init(_ character: Unicode.Scalar = " ", _ style: CellStyle = .plain) {
        codePoint = character.value
        (foreground, background, attributes) = (style.foreground, style.background, style.attributes)
        mark = 0
    }

    /// The colours and attributes.
    public var style: CellStyle {
        get { CellStyle(foreground: foreground, background: background, attributes) }
        set { (foreground, background, attributes) = (newValue.foreground, newValue.background, newValue.attributes) }
    }

    /// The same cell in a form that is safe for a terminal.
    ///
    /// Control characters, invalid code points and unknown colours are replaced. Cells of another process must be cleaned.
    public var cleaned: Cell {
        var cell = self
        if codePoint != 0 {
            let character = Unicode.Scalar(codePoint) ?? CellCharacter.replacement
            cell.codePoint = (CellCharacter.isPrintable(character) ? character : CellCharacter.replacement).value
        }
        if mark != 0, Unicode.Scalar(mark).map(CellCharacter.isMark) != true { cell.mark = 0 }
        (cell.foreground, cell.background) = (foreground.cleaned, background.cleaned)
        cell.attributes = attributes.intersection(.known)
        return cell
    }
}

/// The colours and attributes of text.
public struct CellStyle: BitwiseCopyable, Hashable, Sendable {
    /// The colour of the text.
    public var foreground: CellColor
    /// The colour behind the text.
    public var background: CellColor
    /// The attributes of the text.
    public var attributes: CellAttributes

    /// Makes a style; by default with the terminal's own colours.
    public init(
        foreground: CellColor = .terminal, background: CellColor = .terminal, _ attributes: CellAttributes = []
    ) {
        (self.foreground, self.background, self.attributes) = (foreground, background, attributes)
    }

    /// Makes a style with the terminal's own colours and attributes.
    public init(_ attributes: CellAttributes) {
        self.init(foreground: .terminal, background: .terminal, attributes)
    }

    /// The terminal's own colours.
    public static let plain = CellStyle()

    /// The same style with more attributes.
    public func with(_ more: CellAttributes) -> CellStyle {
        CellStyle(foreground: foreground, background: background, attributes.union(more))
    }
}
