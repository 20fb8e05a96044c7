// Starts the processes of docker-compose.yml with the same settings, without a Docker engine. Runs the flows of the
// demonstration repeatedly, kills one process of each kind meanwhile, and reports lost or duplicate operations.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { createFlowClient } from '#client'
import { createApi } from '#contract/client'
import { installRuntime } from '#worker'
import { composeCommand } from '../support/compose/composeCommand.ts'
import { filledExample, secretIn } from '../support/compose/example.ts'
import { buildImage } from '../support/compose/image.ts'
import { type Resolved, resolve } from '../support/compose/resolved.ts'
import { goProgram } from '../support/goProgram.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { killInTurn } from './kills.ts'
import { contradictoryLockers, hasCollected, recordMessages, stored } from './record.ts'
import { temporalBuild } from './temporalBuild.ts'
import { startTraffic } from './traffic.ts'
import { checkInvariants } from './verdict.ts'

/** Limit of the whole run in milliseconds, without the builds that happen once per machine. */
const longest = 10 * 60_000
/** Milliseconds between two passes of the process of the audit log. */
const auditInterval = 3_000
const started = performance.now()
const say = (line: string) =>
  console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(7)} s  ${line}`)
const keep = process.argv.includes('--keep')
const folder = await mkdtemp(join(tmpdir(), 'lockerflow-cluster-'))

try {
  process.exitCode = (await run()) ? 0 : 1
} catch (error) {
  console.error(`cluster: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  if (keep || process.exitCode !== 0) console.log(`\nLogs: ${folder}`)
  else await rm(folder, { recursive: true, force: true })
}
// A native connection with a pending call would keep the process alive.
process.exit()

async function run(): Promise<boolean> {
  const filled = { ...filledExample(join(folder, 'secrets')), LOCKERFLOW_AUDIT_EVERY: `${auditInterval}ms` }
  const resolved = await resolve(await goProgram(composeCommand, say), filled)
  const version = resolved.services.temporal?.image.split(/[:@]/)[1] ?? ''
  const temporal = await temporalBuild(version, say)
  say('building the image')
  const image = await buildImage(folder)
  setTimeout(() => {
    console.error(`cluster: not finished after ${longest / 60_000} minutes; logs: ${folder}`)
    process.exit(1)
  }, longest).unref()
  const cluster = await startCluster({ resolved, image, temporal, folder, progress: say })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  let well = false
  try {
    well = await withFlows(cluster, resolved, filled, image.environment.LOCKERFLOW_WORKFLOW_BUNDLE ?? '')
  } finally {
    say('stopping everything')
    const faults = await cluster.stop()
    for (const fault of faults) console.log(`FAILED  ${fault}`)
    well &&= faults.length === 0
  }
  console.log(well ? '\nNo operation was lost or duplicated.' : '\nThe run failed.')
  return well
}

async function withFlows(
  cluster: Cluster,
  resolved: Resolved,
  filled: Record<string, string>,
  bundle: string,
): Promise<boolean> {
  installRuntime('ERROR')
  const { database, places } = cluster
  const databaseUrl = database.urlOf('lockerflow')
  await recordMessages(databaseUrl)
  const service = `http://${places.get('service:8080')}`
  const clientId = resolved.services.worker?.environment?.LOCKERFLOW_CLIENT_ID ?? ''
  const clientSecret = secretIn(filled, 'client-secret')
  const api = createApi({ baseUrl: service, authUrl: service, clientId, clientSecret })
  const reconnect = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 1_000 }
  const connection = Connection.lazy({ address: places.get('temporal:7233') ?? '', channelArgs: reconnect })
  const namespace = resolved.services.worker?.environment?.TEMPORAL_NAMESPACE ?? ''
  const client = new Client({ connection, namespace })

  say('starting flows')
  const traffic = startTraffic(api, createFlowClient(client))
  const lockersSeen: string[][] = []
  const check = async () => void lockersSeen.push(await contradictoryLockers(databaseUrl))
  const killed = await killInTurn(cluster, traffic, check, say)
  await traffic.end()
  await check()
  await waitFor(async () => (await stored(databaseUrl)).outbox === 0)
  await pause(auditInterval)
  const collected = await waitFor(() => hasCollected(databaseUrl))
  say(
    `${traffic.played.length} flows ended, ${killed.length} processes were killed; comparing histories, store and callbacks`,
  )
  const { holds, faults } = await checkInvariants({
    played: traffic.played,
    client,
    databaseUrl,
    lockersSeen,
    collected,
    bundle,
  })
  for (const line of holds) console.log(`ok      ${line}`)
  for (const line of faults) console.log(`FAILED  ${line}`)
  await Promise.all([api.close(), connection.close()])
  return faults.length === 0
}

/** Waits up to a minute. Returns true if the condition holds. */
async function waitFor(condition: () => Promise<boolean>): Promise<boolean> {
  for (const start = Date.now(); Date.now() - start < 60_000; await pause(200)) if (await condition()) return true
  return false
}
