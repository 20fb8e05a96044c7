import { randomUUID } from 'node:crypto'
import { styleText } from 'node:util'
import { toPrintable } from '#contract/terms'

/** The formats of `styleText`. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** A stream that a command prints to. A terminal says so, and counts NO_COLOR. */
export interface TextStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/** The streams of a process. */
export interface Streams {
  readonly stdout: TextStream
  readonly stderr: TextStream
}

/** Where a verb prints. Results go to standard output, everything else to standard error. */
export interface Output {
  /** Standard output gets JSON only. */
  readonly json: boolean
  /** Standard output is a terminal, and NO_COLOR is not set. */
  readonly colours: boolean
  /** Prints the one answer of a verb: indented JSON with `--json`, otherwise lines of text. */
  result(value: unknown, lines: () => readonly string[]): void
  /** Prints one of a stream of answers: a line of JSON with `--json`, otherwise lines of text. */
  item(value: unknown, lines: () => string | readonly string[]): void
  /** Prints anything but the answer, such as progress. */
  note(lines: string | readonly string[]): void
  /** Colours a text if the output has colours. */
  style(style: Style, text: string): string
}

/**
 * Creates the printer of a command. Each text is one line: a line break or another control character in it came with a value,
 * and is shown escaped.
 * @param json standard output gets JSON only
 */
export function createOutput(json: boolean, { stdout, stderr }: Streams): Output {
  const colours = !json && stdout.isTTY === true && stdout.hasColors?.() === true
  // Stands for an escape of our own, which no value can forge.
  const mark = randomUUID()
  const print = (lines: readonly string[]) => stdout.write(toText(lines).replaceAll(mark, esc))
  return {
    json,
    colours,
    result(value, lines) {
      print(json ? jsonLines(value) : lines())
    },
    item(value, lines) {
      print(json ? [JSON.stringify(value)] : [lines()].flat())
    },
    note(lines) {
      stderr.write(toText([lines].flat()))
    },
    style(style, text) {
      return colours ? styleText(style, toPrintable(text), { validateStream: false }).replaceAll(esc, mark) : text
    },
  }
}

const esc = '\u001b'

/** Indented JSON. */
export function jsonLines(value: unknown): readonly string[] {
  return `${JSON.stringify(value, undefined, 2)}`.split('\n')
}

/** The text of lines, each of which ends with a line break. */
export function toText(lines: readonly string[]): string {
  return lines.map(line => `${toPrintable(line)}\n`).join('')
}
