import { ensureAttributes } from './attributes.ts'
import { connect } from './connection.ts'
import { readPreparation } from './environment.ts'
import { ensureNamespace } from './namespace.ts'
import { installRuntime } from './runtime.ts'

// Run once before the first worker of a production: workers check the namespace's search attributes and make nothing.
try {
  const { temporal, namespace, retention } = readPreparation()
  installRuntime()
  const connection = await connect(temporal)
  try {
    const made = await ensureNamespace(connection, namespace, { retention })
    await ensureAttributes(connection, namespace, { register: true })
    console.log(`Temporal ${temporal.address} prepared: namespace ${namespace} ${made ? 'made' : 'was there'}`)
  } finally {
    await connection.close()
  }
} catch (error) {
  console.error(`prepare: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
