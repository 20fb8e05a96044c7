import { type LockerRegistry, openLockerRegistry, readDatabaseUrl } from '#service'
import type { VerbAction } from '../command/verb.ts'
import { type LockersAction, readAction } from './arguments.ts'
import { formatChange, formatLockers } from './report.ts'

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
