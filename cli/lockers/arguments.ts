import { type Given, textOf } from '../command/values.ts'

interface Target {
  readonly pupUid: string
  /** Absent for the whole pick up point. */
  readonly lockerName?: string
}

export type LockersAction =
  | { readonly act: 'list'; readonly pupUid?: string | undefined }
  | { readonly act: 'out-of-service'; readonly target: Target; readonly reason: string }
  | { readonly act: 'in-service'; readonly target: Target }

/** Reads the words after `lockers <act>`. */
export function readAction(act: LockersAction['act'], given: Given): LockersAction {
  const [pupUid, lockerName] = [textOf(given, 'pup'), textOf(given, 'locker')]
  if (act === 'list') return { act, pupUid }
  const target = { pupUid: pupUid ?? '', ...(lockerName !== undefined && { lockerName }) }
  return act === 'in-service' ? { act, target } : { act, target, reason: textOf(given, 'reason') ?? '' }
}
