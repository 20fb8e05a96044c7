import type { ErasureReport } from '#service'

/** Describes an erasure, one line per table and per thing that stays. */
export function formatReport({ userUid, erased, stays }: ErasureReport): string[] {
  return [
    `${userUid} is erased.`,
    '',
    ...erased.map(({ table, rows, done }) => `${done}  ${table}: ${rows}`),
    '',
    'It leaves, for the reason given:',
    ...stays.map(({ what, rows, reason }) => `- ${what}${rows === undefined ? '' : `: ${rows}`}: ${reason}`),
  ]
}
