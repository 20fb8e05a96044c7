import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test as base, describe, expect, inject } from 'vitest'
import { freePort } from '../../cli/ports.ts'
import { connect, isTransient } from '../../worker/connection.ts'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { eventually } from '../support/eventually.ts'
import { startGrpcStandIn } from '../support/servers/grpcStandIn.ts'
import { startRelay } from '../support/servers/relay.ts'

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
      const child = spawn(process.execPath, ['worker/main.ts'], { cwd: root, env: { ...common, ...env } })
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

describe('a worker process', () => {
  test('waits for a Temporal that is away, and stops within ten seconds when it stands still', async ({ start }) => {
    const { address, namespace } = inject('temporal')
    const relay = await startRelay(address)
    await relay.cut()
    const worker = await start({ TEMPORAL_ADDRESS: relay.address, TEMPORAL_NAMESPACE: namespace })
    const waits = `"reason":"TEMPORAL_ADDRESS: Temporal cannot be reached at ${relay.address}`
    await eventually(() => worker.lines.some(line => line.includes('"worker-not-ready"') && line.includes(waits)))
    expect(await worker.ready()).toMatchObject({ status: 503, reason: expect.stringContaining('TEMPORAL_ADDRESS') })
    await relay.mend()
    await eventually(() => worker.lines.some(line => line.startsWith('worker ready')), 40_000)
    expect(await worker.ready()).toMatchObject({ status: 200 })

    // Temporal stands still: it accepts connections and answers nothing.
    relay.hold('')
    const asked = performance.now()
    expect(await worker.ready()).toEqual({
      status: 503,
      ready: false,
      reason: 'Temporal does not answer',
      missing: [{ name: 'temporal', reason: 'Temporal does not answer' }],
    })
    // Two seconds, and the rest for a slow machine.
    expect(performance.now() - asked).toBeLessThan(5_000)
    const began = performance.now()
    worker.child.kill('SIGTERM')
    await worker.exited
    // Ten seconds, and the rest for a slow machine.
    expect(performance.now() - began).toBeLessThan(15_000)
    await relay.cut()
  }, 120_000)

  test('that waits ends at once on SIGTERM', async ({ start }) => {
    const worker = await start({ TEMPORAL_ADDRESS: `127.0.0.1:${await freePort('127.0.0.1')}` })
    await eventually(() => worker.lines.length > 0)
    worker.child.kill('SIGTERM')
    expect(await worker.exited).toEqual([0, null])
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
