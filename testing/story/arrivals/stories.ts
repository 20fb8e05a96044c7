/** When a person comes to the locker. */
export type Arrival = 'atOnce' | 'late' | 'never' | 'afterWrongCode'

/**
 * Stories that play themselves, by the beginning of a case number or of a user's e-mail address. They say when the user
 * comes; the dispatcher comes at once. `late` is when the flow is overdue.
 *
 * ```ts
 * const caseNo = `${Object.keys(stories)[0]}1` // on-time-1 plays itself.
 * ```
 */
export const stories = {
  'on-time-': 'atOnce',
  'late-': 'late',
  'never-': 'never',
  'wrong-code-': 'afterWrongCode',
} as const satisfies Readonly<Record<string, Arrival>>

/** The story of a name; undefined for a name without one. */
export function findStory(name: string): Arrival | undefined {
  return Object.entries(stories).find(([prefix]) => name.startsWith(prefix))?.[1]
}
