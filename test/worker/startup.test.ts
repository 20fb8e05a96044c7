import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test as base, describe, expect, inject, onTestFinished } from 'vitest'
import { freePort } from '../../platform/ports.ts'
import { connect } from '../../worker/connection.ts'
import { isTransient } from '../../worker/temporalErrors.ts'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { eventually } from '../support/eventually.ts'
import { startGrpcStandIn } from '../support/servers/grpcStandIn.ts'
import { startRelay } from '../support/servers/relay.ts'
import { ownTimes, withOwnClock } from '../support/worker/ownTimes.ts'

interface WorkerProcess {
  readonly child: ChildProcess
  readonly lines: string[]
  readonly exited: Promise<unknown[]>
  ready(): Promise<{ status: number; reason?: string }>
}

const test = base.extend<{ start: (env: Record<string, string>) => Promise<WorkerProcess> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that one needs from this pattern.
  start: async ({}, use) => {
    const children: ChildProcess[] = []
    await use(async env => {
      const port = await freePort('127.0.0.1')
      const common = {
        ...childEnvironment,
        LOCKERFLOW_WORKER_PORT: String(port),
        LOCKERFLOW_TASK_QUEUE: randomUUID(),
      }
      const args = [...withOwnClock, 'worker/main.ts']
      const child = spawn(process.execPath, args, { cwd: root, env: { ...common, ...env } })
      children.push(child)
      const lines: string[] = []
      for (const stream of [child.stdout, child.stderr]) {
        createInterface(stream).on('line', line => lines.push(line))
      }
      return {
        child,
        lines,
        exited: once(child, 'close'),
        async ready() {
          const response = await fetch(`http://127.0.0.1:${port}/health/ready`)
          return { status: response.status, ...((await response.json()) as object) }
        },
      }
    })
    for (const child of children) child.kill('SIGKILL')
  },
})

const unanswered = {
  status: 503,
  ready: false,
  reason: 'Temporal does not answer',
  missing: [{ name: 'temporal', reason: 'Temporal does not answer' }],
}

describe('a worker process', () => {
  test('waits for a Temporal that is away, and stops within ten seconds when it stands still', async ({ start }) => {
    const { address, namespace } = inject('temporal')
    const relay = await startRelay(address)
    await relay.cut()
    const worker = await start({ TEMPORAL_ADDRESS: relay.address, TEMPORAL_NAMESPACE: namespace })
    const waits = `"reason":"TEMPORAL_ADDRESS: Temporal cannot be reached at ${relay.address}`
    await eventually(() => worker.lines.some(line => line.includes('"worker-not-ready"') && line.includes(waits)))
    const away = await worker.ready()
    expect(away).toMatchObject({ status: 503, reason: expect.stringContaining('TEMPORAL_ADDRESS') })
    expect(JSON.stringify(away)).not.toContain(relay.address)
    await relay.mend()
    await eventually(() => worker.lines.some(line => line.startsWith('worker ready')))
    await eventually(async () => (await worker.ready()).status === 200)

    // Temporal hangs: it accepts connections and answers nothing.
    relay.hold('')
    expect(await worker.ready()).toEqual(unanswered)
    worker.child.kill('SIGTERM')
    await worker.exited
    const responses = ownTimes(worker.lines, 'response')
    expect(responses.length).toBeGreaterThan(2)
    expect(Math.max(...responses)).toBeLessThan(2_000)
    expect(ownTimes(worker.lines, 'stop')).toEqual([expect.toSatisfy(took => took < 10_000)])
    await relay.cut()
  })

  test('answers within two seconds while the port of Temporal is refused, and stops within ten', async ({ start }) => {
    const { address, namespace } = inject('temporal')
    const relay = await startRelay(address)
    // A collector that accepts connections and answers nothing: the last export hangs.
    const collector = createServer(() => undefined).listen(0, '127.0.0.1')
    await once(collector, 'listening')
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_EXPORT_TIMEOUT: '30000' }
    const worker = await start({ ...traced, TEMPORAL_ADDRESS: relay.address, TEMPORAL_NAMESPACE: namespace })
    await eventually(() => worker.lines.some(line => line.startsWith('worker ready')))
    await relay.cut()
    for (let asked = 0; asked < 3; asked++) expect(await worker.ready()).toEqual(unanswered)
    worker.child.kill('SIGTERM')
    await worker.exited
    expect(Math.max(...ownTimes(worker.lines, 'response'))).toBeLessThan(2_000)
    expect(ownTimes(worker.lines, 'stop')).toEqual([expect.toSatisfy(took => took < 10_000)])
    collector.close()
  })

  test('names the setting of a port for metrics that is in use', async ({ start }) => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const worker = await start({ LOCKERFLOW_METRICS_PORT: String(port), OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1' })
    expect(await worker.exited).toEqual([1, null])
    expect(worker.lines.join('\n')).toContain(
      `LOCKERFLOW_METRICS_PORT: port ${port} on 127.0.0.1 cannot serve metrics: Address already in use`,
    )
  })

  test('goes on after a promise that an activity of a team forgot to await', async ({ start }) => {
    const folder = mkdtempSync(join(tmpdir(), 'forgetful-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const module = join(folder, 'activities.mjs')
    const rejects = "process.on('SIGHUP', () => void Promise.reject(new Error('forgotten')))"
    writeFileSync(module, `export const print = () => undefined; ${rejects}`)
    const { address, namespace } = inject('temporal')
    const settings = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, LOCKERFLOW_ACTIVITIES: module }
    const worker = await start(settings)
    await eventually(() => worker.lines.some(line => line.startsWith('worker ready')))
    worker.child.kill('SIGHUP')
    const line = await eventually(() => worker.lines.find(text => text.includes('forgotten')))
    expect(JSON.parse(line)).toMatchObject({ level: 50, logId: 'unhandled-rejection', err: { message: 'forgotten' } })
    await eventually(async () => (await worker.ready()).status === 200)
  })

  test('that waits ends at once on SIGTERM', async ({ start }) => {
    const worker = await start({ TEMPORAL_ADDRESS: `127.0.0.1:${await freePort('127.0.0.1')}` })
    await eventually(() => worker.lines.length > 0)
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toEqual([0, null])
  })

  test('tells its wrong variables and the faults of its files in one message', async ({ start }) => {
    const folder = mkdtempSync(join(tmpdir(), 'wrong-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const worker = await start({
      LOCKERFLOW_POLL_INTERVAL: 'soon',
      OTEL_TRACES_EXPORTER: 'paper',
      LOCKERFLOW_CALENDARS: file('calendars.yaml', 'default: { hours: { monday: ["9"] } }\ntimeZone: Here\n'),
      LOCKERFLOW_ACTIVITIES: file('activities.mjs', 'export const planFlow = () => {}\n'),
      LOCKERFLOW_FLOWS: file('flow.yaml', 'name: wait\nsummary: Time passes.\ninput: {}\nsteps: []\n'),
    })
    expect(await worker.exited).toEqual([2, null])
    expect(worker.lines.filter(line => !line.startsWith('own clock')).map(line => line.split(': ')[0])).toEqual([
      'worker',
      'LOCKERFLOW_ACTIVITIES',
      'LOCKERFLOW_CALENDARS',
      'LOCKERFLOW_CALENDARS',
      'LOCKERFLOW_FLOWS',
      'OTEL_TRACES_EXPORTER',
      expect.stringMatching(/^See /),
    ])
    expect(worker.lines.join('\n')).toContain('must not have the names of built-in ones: planFlow')
  })

  test('names the refusal of Temporal that comes before its own port listens', async ({ start }) => {
    const standIn = await startGrpcStandIn(7, 'PERMISSION_DENIED')
    onTestFinished(standIn.stop)
    const worker = await start({
      LOCKERFLOW_WORKER_PORT: '0',
      TEMPORAL_ADDRESS: standIn.address,
    })
    expect(await worker.exited).toEqual([1, null])
    expect(worker.lines.filter(line => !line.startsWith('own clock'))).toEqual([
      expect.stringMatching(`^worker: TEMPORAL_ADDRESS: Temporal cannot be reached at ${standIn.address}: `),
    ])
  })

  test('does not wait for another namespace', async ({ start }) => {
    const worker = await start({ TEMPORAL_ADDRESS: inject('temporal').address, TEMPORAL_NAMESPACE: 'nowhere' })
    expect(await worker.exited).toEqual([1, null])
    expect(worker.lines.join('\n')).toMatch(/^worker: .*nowhere/m)
  })
})

describe('an attempt to connect', () => {
  test.for([
    [7, 'PERMISSION_DENIED', false],
    [16, 'UNAUTHENTICATED', false],
    [14, 'UNAVAILABLE', true],
  ] as const)('that gets the gRPC status %i is repeated: %s %s', async ([status, text, repeated]) => {
    const standIn = await startGrpcStandIn(status, text)
    const error = await connect({ address: standIn.address }).catch(cause => cause)
    expect(error.message).toContain(`TEMPORAL_ADDRESS: Temporal cannot be reached at ${standIn.address}`)
    expect(isTransient(error)).toBe(repeated)
    await standIn.stop()
  })

  test('that is refused is repeated', async () => {
    const error = await connect({ address: `127.0.0.1:${await freePort('127.0.0.1')}` }).catch(cause => cause)
    expect(isTransient(error)).toBe(true)
  })
})
