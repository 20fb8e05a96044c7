import { styleText } from 'node:util'

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
  /** Prints one of a stream of answers: a line of JSON with `--json`, otherwise a line of text. */
  item(value: unknown, line: () => string): void
  /** Prints anything but the answer, such as progress. */
  note(text: string): void
  /** Colours a text if the output has colours. */
  style(style: Style, text: string): string
}

/** @param json standard output gets JSON only */
export function createOutput(json: boolean, { stdout, stderr }: Streams): Output {
  const colours = !json && stdout.isTTY === true && stdout.hasColors?.() === true
  return {
    json,
    colours,
    result(value, lines) {
      stdout.write(json ? `${JSON.stringify(value, undefined, 2)}\n` : toText(lines()))
    },
    item(value, line) {
      stdout.write(`${json ? JSON.stringify(value) : line()}\n`)
    },
    note(text) {
      stderr.write(`${text}\n`)
    },
    style: (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text),
  }
}

function toText(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}
