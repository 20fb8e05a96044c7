import type { ErasureReport } from '#service'

/** Describes an erasure, one line per table and per thing that stays. */
export function formatReport({ userUid, erased, stays }: ErasureReport): string[] {
  return [
    `${userUid} is erased.`,
    '',
    ...erased.map(({ table, rows, done }) => `${done}  ${table}: ${rows}`),
    '',
    'What stays, and why:',
    ...stays.map(({ what, rows, reason }) => `- ${what}${rows === undefined ? '' : `: ${rows}`}: ${reason}`),
  ]
}
