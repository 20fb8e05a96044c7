import type { Output } from './output.ts'

/** Milliseconds without a line after which a person wonders whether a command hangs. */
const noteAfter = 1_500

/** Prints a note to a person if a wait is longer than a moment. A program gets none among the lines of JSON. */
export async function noteWait<Result>(output: Output, text: string, wait: Promise<Result>): Promise<Result> {
  const timer = output.json ? undefined : setTimeout(() => output.note(text), noteAfter)
  try {
    return await wait
  } finally {
    clearTimeout(timer)
  }
}
