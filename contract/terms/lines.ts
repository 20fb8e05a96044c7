// Texts that are printed line by line, with values from files and servers in them.

/**
 * Makes a text one line that a terminal and the log of CI show as it is. Escapes are those of JSON, so the text of a JSON value
 * keeps its meaning.
 */
export function toPrintable(text: string): string {
  // Control characters of ASCII and of C1, separators of lines, and marks that change the direction of a text.
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu, character =>
    character === '\n' ? '\\n' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** An error whose message has several lines. A line break within one of them belongs to a value. */
export class LinesError extends Error {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/** The lines of the message of an error. */
export function linesOfError(error: unknown): readonly string[] {
  if (error instanceof LinesError) return error.lines
  return [error instanceof Error ? error.message : String(error)]
}
