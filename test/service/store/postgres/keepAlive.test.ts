import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { onTestFinished, test } from 'vitest'
import { openStore } from '../../../../service/store/index.ts'
import { eventually } from '../../../support/eventually.ts'
import { temporaryStore } from '../../../support/service/temporaryStore.ts'

// A migration and the wait for that of another process have no other time limit.
test.runIf(process.platform === 'linux')(
  'each side of a connection probes the other one after seconds of silence',
  async () => {
    const databaseUrl = await temporaryStore()
    const store = await openStore(databaseUrl)
    onTestFinished(() => store.destroy())
    const { rows } = await sql<{ port: number }>`select inet_client_port() as port`.execute(store)
    const ports = [rows[0]?.port ?? 0, Number(new URL(databaseUrl).port)]
    await eventually(async () => {
      const probing = await readProbing()
      return probing.has(ports.join()) && probing.has(ports.toReversed().join())
    })
  },
)

/** Hundredths of a second until the kernel probes. */
const soon = 1_000

/** The local and the remote port of each connection whose other side the kernel probes soon. */
async function readProbing(): Promise<ReadonlySet<string>> {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n')
  const found = lines.flatMap(line => {
    const [, local, remote, , , timer] = line.trim().split(/\s+/)
    // 02 is the timer that waits for silence.
    const [kind, wait = ''] = timer?.split(':') ?? []
    return kind === '02' && Number.parseInt(wait, 16) <= soon ? [[local, remote].map(readPort).join()] : []
  })
  return new Set(found)
}

function readPort(address = ''): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16)
}
