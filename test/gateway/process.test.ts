import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { test as base, expect, inject } from 'vitest'
import { childEnvironment } from '../support/childEnvironment.ts'
import { json, type StandIn, startStandIn, success } from '../support/servers/apiStandIn.ts'

const main = fileURLToPath(new URL('../../gateway/main.ts', import.meta.url))

const test = base.extend<{ service: StandIn; start: (env: Record<string, string>) => ReturnType<typeof spawn> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that one needs from this pattern.
  service: async ({}, use) => {
    const service = await startStandIn()
    await use(service)
    await service.stop()
  },
  start: async ({ service }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'lockerflow-test-'))
    const children: ReturnType<typeof spawn>[] = []
    const { address, namespace } = inject('temporal')
    const common = {
      ...childEnvironment,
      LOCKERFLOW_GATEWAY_PORT: '0',
      LOCKERFLOW_HOST: '127.0.0.1',
      LOCKERFLOW_BASE_URL: service.url,
      LOCKERFLOW_AUTH_URL: service.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
    }
    await use(env => {
      const child = spawn(process.execPath, [main], { cwd: folder, env: { ...common, ...env }, stdio: 'pipe' })
      children.push(child)
      return child
    })
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  },
})

test('names a misspelled setting, and starts', async ({ service, start }) => {
  service.operation = json(200, { ...success, authKey: null, changed: true })
  const child = start({ LOCKERFLOW_GATEWAY_PROT: '1' })
  await once(child.stdout ?? process.stdin, 'data')
  child.kill('SIGTERM')
  const logged = await text(child.stderr ?? process.stdin)
  expect(logged).toContain('"setting":"LOCKERFLOW_GATEWAY_PROT"')
  expect(logged).toContain('LOCKERFLOW_GATEWAY_PORT')
})

test('prints one line when it is ready and ends cleanly on SIGTERM', async ({ service, start }) => {
  service.operation = json(200, { ...success, authKey: null, changed: true })
  const child = start({})
  const lines: string[] = []
  const ready = Promise.withResolvers<void>()
  createInterface({ input: child.stdout ?? process.stdin }).on('line', line => {
    lines.push(line)
    ready.resolve()
  })
  await ready.promise
  const [, address = ''] = /^gateway ready: callbacks at (http:\S+)\/callbacks$/.exec(lines[0] ?? '') ?? []
  expect((await fetch(`${address}/health/ready`)).status).toBe(200)
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  expect(lines).toHaveLength(1)
})

test('a stop that fails is one line without a stack, and exit code 1', async ({ service, start }) => {
  const told = Promise.withResolvers<void>()
  service.operation = () => told.resolve()
  const fault = `
    import { createRequire } from 'node:module'
    const { Connection } = createRequire(${JSON.stringify(main)})('@temporalio/client')
    Connection.prototype.close = async () => { throw new Error('not closed') }`
  const child = start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` })
  const output = text(child.stderr ?? process.stdin)
  await told.promise
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([1, null])
  expect((await output).split('\n').filter(line => !line.startsWith('{'))).toEqual(['gateway: not closed', ''])
})

test('a stop that hangs ends within ten seconds with exit code 1', async ({ service, start }) => {
  const told = Promise.withResolvers<void>()
  service.operation = () => told.resolve()
  const fault = `
    import { createRequire } from 'node:module'
    const { Connection } = createRequire(${JSON.stringify(main)})('@temporalio/client')
    Connection.prototype.close = () => new Promise(() => undefined)
    // Timers of a process end in the order of their times, on a busy machine too.
    process.once('SIGTERM', () => setTimeout(() => process.exit(3), 10_000))`
  const child = start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` })
  await told.promise
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([1, null])
})

test('ends cleanly on SIGTERM before it is ready', async ({ service, start }) => {
  const told = Promise.withResolvers<void>()
  service.operation = () => told.resolve()
  const child = start({})
  await told.promise
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
})

test('an invalid setting ends it immediately with one line', async ({ start }) => {
  const child = start({ LOCKERFLOW_GATEWAY_PORT: 'http' })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', text => {
    said += text
  })
  expect(await once(child, 'close')).toEqual([2, null])
  expect(said).toBe(
    'gateway: LOCKERFLOW_GATEWAY_PORT: must be a port from 0 to 65535. Example: LOCKERFLOW_GATEWAY_PORT=8081\nSee docs/reference/errors.md#invalidsettings.\n',
  )
})
