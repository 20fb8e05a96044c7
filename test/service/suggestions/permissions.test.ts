import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { permissions } from '../../../service/suggestions/reading/readInProcess.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

const root = process.cwd()

test('the process that reads a file has access to the code that reads it, and to nothing else', async () => {
  const questions: readonly [scope: string, reference?: string][] = [
    ['fs.read', join(root, 'service/suggestions/reading/main.ts')],
    ['fs.read', join(root, 'node_modules/@e965/xlsx/xlsx.mjs')],
    ['fs.read', join(root, '.env')],
    ['fs.read', join(root, '.lockerflow/service.db')],
    ['fs.read', '/etc/passwd'],
    ['fs.write', join(root, 'service/main.ts')],
    ['fs.write', join(tmpdir(), 'file')],
    ['child'],
    ['worker'],
    ['addon'],
  ]
  const script = `console.log(JSON.stringify(${JSON.stringify(questions)}.map(question => process.permission.has(...question))))`
  const { stdout } = await promisify(execFile)(process.execPath, [...permissions, '--eval', script], { env: {} })
  expect(JSON.parse(stdout)).toEqual([true, true, ...questions.slice(2).map(() => false)])
})

/** Attempts of code that a file of a stranger might contain. */
const attempts: Readonly<Record<string, string>> = {
  'reads another file': `(await import('node:fs')).readFileSync('/etc/passwd')`,
  'lists a folder': `(await import('node:fs')).readdirSync('/')`,
  'writes a file': `(await import('node:fs')).writeFileSync(FOLDER + '/written', '')`,
  'starts a process': `(await import('node:child_process')).spawnSync(process.execPath, ['--version'])`,
  'starts a worker': `new (await import('node:worker_threads')).Worker('0', { eval: true })`,
  'takes a binding': `process.binding('tcp_wrap')`,
  'opens the inspector': `(await import('node:inspector')).open(0)`,
  connects: `await connected((await import('node:net')).connect(PORT, '127.0.0.1'))`,
  'connects a socket of its own': `await connected(new (await import('node:net')).Socket().connect(PORT, '127.0.0.1'))`,
  'connects by TLS': `(await import('node:tls')).connect(PORT, '127.0.0.1').on('error', () => undefined)`,
  fetches: `await fetch('http://127.0.0.1:' + PORT)`,
  requests: `await connected((await import('node:http')).get('http://127.0.0.1:' + PORT))`,
  listens: `new (await import('node:net')).Server().listen(0)`,
  'sends a datagram': `(await import('node:dgram')).createSocket('udp4').send('', 9, '127.0.0.1')`,
  'resolves a name': `await (await import('node:dns/promises')).lookup('localhost')`,
  'asks a name server': `await new (await import('node:dns')).promises.Resolver().resolve4('localhost')`,
}

/** Runs the attempts in one process. @returns the error code of each, or `done` */
async function attempt(options: readonly string[], port: number): Promise<Record<string, string>> {
  const script = `
    const PORT = ${port}, FOLDER = ${JSON.stringify(temporaryFolder())}
    const connected = socket => new Promise((resolve, reject) =>
      socket.on('connect', resolve).on('response', resolve).on('error', reject))
    const results = {}
    for (const [name, run] of Object.entries({ ${Object.entries(attempts)
      .map(([name, code]) => `${JSON.stringify(name)}: async () => { ${code} }`)
      .join(', ')} })) {
      results[name] = await run().then(() => 'done', error => error.code ?? error.cause?.code ?? String(error))
    }
    process.stdout.write(JSON.stringify(results), () => process.exit())`
  const args = [...options, '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: {}, timeout: 60_000 })
  return JSON.parse(stdout)
}

test('the process that reads a file fails to read, write, start or connect to anything else', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let connections = 0
  server.on('connection', () => connections++)

  const denied = await attempt(permissions, port)
  expect(denied).toEqual(Object.fromEntries(Object.keys(attempts).map(name => [name, 'ERR_ACCESS_DENIED'])))
  expect(connections).toBe(0)

  // Without the options the same attempts succeed.
  const allowed = await attempt([], port)
  expect(allowed).toMatchObject({ 'reads another file': 'done', connects: 'done', fetches: 'done', requests: 'done' })
  expect(Object.values(allowed)).not.toContain('ERR_ACCESS_DENIED')
  expect(connections).toBeGreaterThan(2)
})
