import { readStateCode } from '#contract/terms'

/** Characters of a name or a sentence on the board. */
const longest = 120

/** A row of a table; its cells are Markdown already. */
export function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Names come from elsewhere and must not become Markdown, a link above all; every mark is shown as it is. */
export function plain(text: unknown): string {
  const line = String(text ?? '').replaceAll(/\s+/g, ' ')
  const cut = line.length > longest ? `${line.slice(0, longest)}…` : line
  return cut.replaceAll(/[!-,./:-@[-`{-~]/g, String.raw`\$&`)
}

/** A state as everybody may see it: what is no state of ours is somebody else's text. */
export function stateName(stateCode: string): string {
  return readStateCode(stateCode) ?? 'an unknown state'
}

/** A moment for people, in UTC, to the second; empty for a text that is none. Without an offset it is in UTC. */
export function moment(when: string | number): string {
  const time = typeof when === 'number' ? when : Date.parse(/(Z|[+-]\d\d:\d\d)$/i.test(when) ? when : `${when}Z`)
  // A date that no calendar has would stop every task of the flow.
  if (Number.isNaN(new Date(time).getTime())) return ''
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
