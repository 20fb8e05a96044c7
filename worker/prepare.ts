import { type OnReady, runMain } from '#platform/process'
import { ensureSearchAttributes } from './attributes.ts'
import { connect, installRuntime } from './connection.ts'
import { ensureNamespace } from './namespace.ts'
import { readPreparation } from './settings.ts'

/** Run once before the first worker in production, where workers check the search attributes but create nothing. */
async function prepare(onReady: OnReady<object>): Promise<void> {
  const { temporal, namespace, retention } = readPreparation()
  installRuntime()
  const connection = await connect(temporal)
  try {
    const created = await ensureNamespace(connection, namespace, { retention })
    await ensureSearchAttributes(connection, namespace, { register: true })
    onReady({}, `Temporal ${temporal.address} prepared: namespace ${namespace} ${created ? 'created' : 'exists'}`)
  } finally {
    await connection.close()
  }
}

await runMain('prepare', prepare)
