import { readStateCode, readTime } from '#contract/terms'
import { describeMoment } from '#flows/pictureOfRun'

/** Characters of a name or a sentence in the current details. */
const maxLength = 120

/** A row of a table; its cells are Markdown. */
export function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Escapes text from outside, so that it cannot become Markdown, above all a link. */
export function escapeMarkdown(text: unknown): string {
  const line = String(text ?? '').replaceAll(/\s+/g, ' ')
  const cut = line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
  return cut.replaceAll(/[!-,./:-@[-`{-~]/g, String.raw`\$&`)
}

/** The public name of a state. Unknown codes are text from outside and are not shown. */
export function stateName(stateCode: string): string {
  return readStateCode(stateCode) ?? 'an unknown state'
}

/** A moment in UTC, to the second; empty for an invalid one. A text without an offset is in UTC. */
export function moment(when: string | number): string {
  const date = new Date((typeof when === 'number' ? when : readTime(when)) ?? Number.NaN)
  // An invalid date has no text, and would fail every workflow task of the flow.
  return Number.isNaN(date.getTime()) ? '' : describeMoment(date.getTime())
}
