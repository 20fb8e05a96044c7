import { toExitCode } from '#platform/settings'
import { ensureSearchAttributes } from './attributes.ts'
import { connect, installRuntime } from './connection.ts'
import { readPreparation } from './environment.ts'
import { ensureNamespace } from './namespace.ts'

// Run once before the first worker in production, where workers check the search attributes but create nothing.
try {
  const { temporal, namespace, retention } = readPreparation()
  installRuntime()
  const connection = await connect(temporal)
  try {
    const created = await ensureNamespace(connection, namespace, { retention })
    await ensureSearchAttributes(connection, namespace, { register: true })
    console.log(`Temporal ${temporal.address} prepared: namespace ${namespace} ${created ? 'created' : 'exists'}`)
  } finally {
    await connection.close()
  }
} catch (error) {
  console.error(`prepare: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = toExitCode(error)
}
