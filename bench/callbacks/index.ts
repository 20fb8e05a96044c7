// The benchmarks of callbacks. bench/main.ts imports this.
import { parseArgs } from 'node:util'
import { startPostgres } from '../../test/support/setup/postgresServer.ts'
import { embedded, postgres } from '../bookings/stores.ts'
import type { Row } from '../row.ts'
import { benchDeliveries, oneReceiver, tenReceivers } from './throughput.ts'
import { benchUnderLoad } from './underLoad.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '60' },
    messages: { type: 'string', default: '10000' },
  },
  strict: false,
})

/** Runs the benchmarks in sequence, since each needs the whole machine. */
export async function benchCallbacks(): Promise<Row[]> {
  const options = { rounds: Number(values.rounds), messages: Number(values.messages) }
  const server = await startPostgres({ durable: true })
  try {
    const rows: Row[] = []
    for (const store of [embedded, postgres(server)]) {
      for (const receivers of [oneReceiver, tenReceivers])
        rows.push(report(await benchDeliveries(store, receivers, options)))
      rows.push(report(await benchUnderLoad(store, Number(values.seconds))))
    }
    return rows
  } finally {
    await server.remove()
  }
}

/** Shows a figure of a long run before the run ends. */
function report(row: Row): Row {
  console.error(`${row.what}: ${Math.round(row.ours)} ${row.unit}`)
  return row
}
