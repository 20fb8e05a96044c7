import { type LockerRegistry, openLockerRegistry, readDatabaseUrl } from '#service'
import { misuse } from '../command/failure.ts'
import { type Given, isGiven, textOf } from '../command/values.ts'
import type { VerbCall } from '../command/verb.ts'
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

/**
 * Reads the options of `lockers`: without a change they select a list.
 * @throws CommandFailure that names the option
 */
export function readAction(given: Given): LockersAction {
  const [pupUid, lockerName, reason] = [textOf(given, 'pup'), textOf(given, 'locker'), textOf(given, 'outOfService')]
  const isReturn = isGiven(given, 'inService')
  if (reason === undefined && !isReturn) {
    if (lockerName !== undefined) throw misuse('--locker: must be given with --out-of-service or --in-service.')
    return { act: 'list', pupUid }
  }
  if (reason !== undefined && isReturn) throw misuse('--in-service: must not be given together with --out-of-service.')
  if (pupUid === undefined) throw misuse('--pup: must be given, for the change.')
  const target = { pupUid, ...(lockerName !== undefined && { lockerName }) }
  return reason === undefined ? { act: 'in-service', target } : { act: 'out-of-service', target, reason }
}

/** Changes the store directly. Running services follow at once. */
export async function run(call: VerbCall): Promise<void> {
  const action = readAction(call)
  const registry = await openLockerRegistry(readDatabaseUrl(call.environment))
  try {
    const { result, lines } = await perform(registry, action)
    call.output.result(result, () => lines)
  } finally {
    await registry.close()
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
