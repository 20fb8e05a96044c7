import { argv } from 'node:process'
import { type LockerRegistry, openLockerRegistry, readDatabaseUrl } from '#service'
import { type LockersAction, readArguments } from './lockers/arguments.ts'
import { formatChange, formatLockers } from './lockers/report.ts'

// The command changes the store directly, so it also works while no service runs. Running services follow at once.
try {
  const { action, json } = readArguments(argv.slice(2))
  const registry = await openLockerRegistry(readDatabaseUrl())
  try {
    const { result, lines } = await perform(registry, action)
    console.log(json ? JSON.stringify(result, undefined, 2) : lines.join('\n'))
  } finally {
    await registry.close()
  }
} catch (error) {
  console.error(`lockers: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
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
