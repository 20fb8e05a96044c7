import { type LockerRegistry, openLockerRegistry, readDatabaseUrl } from '#service'
import { type Given, textOf } from '../command/values.ts'
import type { VerbAction } from '../command/verb.ts'
import { formatChange, formatLockers } from './report.ts'

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

/** The action of `lockers <act>`. It changes the store directly. Running services follow at once. */
export function lockersAction(act: LockersAction['act']): VerbAction {
  return {
    async run(call) {
      const action = readAction(act, call)
      const registry = await openLockerRegistry(readDatabaseUrl(call.environment))
      try {
        const { result, lines } = await perform(registry, action)
        call.output.result(result, () => lines)
      } finally {
        await registry.close()
      }
    },
  }
}

async function perform(
  registry: LockerRegistry,
  action: LockersAction,
): Promise<{ readonly result: object; readonly lines: readonly string[] }> {
  if (action.act === 'list') {
    const result = await registry.list(action.pupUid)
    return { result, lines: formatLockers(result, action.pupUid !== undefined) }
  }
  const { target } = action
  const result =
    action.act === 'out-of-service'
      ? await registry.takeOutOfService(target, action.reason)
      : await registry.returnToService(target)
  return { result, lines: formatChange(action.act, result) }
}
