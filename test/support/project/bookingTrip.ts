// Prints the trip of one booking as JSON: `files` that ran and `order` of their entries, for a
// `POST /v1/Logistics/CreateLocalShipmentAsIssue` with an Idempotency-Key on the embedded store, for a tenant with a callback
// address. The trip begins with the request and ends when the callback is delivered.
//
// `files` comes from V8's precise coverage: the files of `folders` of which at least one function ran during the trip. An
// earlier booking fills the caches first. Loading a file does not count.
//
// `order` comes from the calls of instrumented functions. A file is entered when one of its functions begins after a function
// of another file has begun on the same path. There are two paths: the request, and the outbox that `wake` starts. Every
// function counts, helpers included. The continuation of a caller after a call or an `await` is not an entry. The order of the
// second path ends with the deletion of the delivered message, after which the outbox reads the next one.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Profiler, Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { relative } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { root } from '../../project/sources.ts'
import { instrument } from './instrument.ts'

const folders = ['service', 'contract', 'machines', 'addresses']
const outbox = 'service/outbox/drain.ts'
/** Milliseconds without a call after which the outbox has looked for the next message. */
const settling = 300
/** Turns of the event loop, more than the outbox takes to look for the next message. */
const turns = 50

interface Call {
  readonly file: string
  readonly name: string | undefined
  readonly inOutbox: boolean
}

let calls: Call[] = []
const inOutbox = new AsyncLocalStorage<boolean>()

instrument(folders, {
  enter({ file, name, isAsync }) {
    const before = inOutbox.getStore() ?? false
    const isOutbox = before || file === outbox
    calls.push({ file, name, inOutbox: isOutbox })
    if (isOutbox !== before) inOutbox.enterWith(isOutbox)
    return isAsync ? undefined : before
  },
  exit(before) {
    if (before === false) inOutbox.enterWith(before)
  },
})

// Imported after the instrumentation.
const { tokenPath } = await import('#contract')
const { demoTopology, startService } = await import('#service')
const received = new EventTarget()
const receiver = createServer((request, response) => {
  request.resume().once('end', () => response.end(() => received.dispatchEvent(new Event('callback'))))
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`

const delivery = { pollInterval: 3_600_000, slowAfter: 3_600_000 }
const service = await startService({
  databaseUrl: 'file::memory:',
  allowPrivateNetworks: true,
  delivery,
  revocationPollInterval: 3_600_000,
})
const [tenant] = demoTopology.tenants
const [client] = tenant?.clients ?? []
const [point] = demoTopology.pickUpPoints

async function post(path: string, body: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await fetch(service.address + path, { method: 'POST', body, headers })
  const result = (await response.json()) as Record<string, unknown>
  if (result.success === false) throw new Error(`${path}: ${response.status} ${JSON.stringify(result)}`)
  return result
}

const form = { grant_type: 'client_credentials', client_id: client?.clientId, client_secret: client?.clientSecret }
const { access_token } = await post(tokenPath, new URLSearchParams(form as Record<string, string>).toString(), {
  'content-type': 'application/x-www-form-urlencoded',
})
const call = (path: string, body: unknown) =>
  post(path, JSON.stringify(body), {
    authorization: `Bearer ${access_token}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  })
const { userUid } = await call('/v1/Account/CreateAccount', {
  emailAddress: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  pickUpPointUid: point?.pupUid,
})
await call('/v1/Platform/ConfigureCallback', { url, authType: 'HMAC' })

async function book(): Promise<void> {
  const callback = once(received, 'callback')
  await call('/v1/Logistics/CreateLocalShipmentAsIssue', {
    PupUid: point?.pupUid,
    ToUserUid: userUid,
    Dimension: { width: 1, height: 1, length: 1 },
    AllowLargerLockers: true,
    AllowOverflowLockers: true,
  })
  await callback
  // The record of the delivery comes after the response of the receiver, on a busy machine much later.
  while (!calls.some(({ name }) => name === 'deleteMessages')) await setTimeout(settling)
  for (let before = 0; before < calls.length; ) {
    before = calls.length
    await setTimeout(settling)
    // A pause of the machine can end the time before the work that it delayed.
    for (let turn = 0; turn < turns; turn++) await setImmediate()
  }
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
calls = []
await book()
// Taking the coverage resets its counts.
await session.post('Profiler.takePreciseCoverage')
calls = []
await book()
const trip = [...calls]
const { result } = await session.post('Profiler.takePreciseCoverage')
await service.stop()
receiver.close()

const files = result.filter(hasRun).map(({ url }) => relative(root, fileURLToPath(url)))
const ofRequest = trip.filter(({ inOutbox }) => !inOutbox)
const ofOutbox = trip.filter(({ inOutbox }) => inOutbox)
const end = ofOutbox.findLastIndex(({ name }) => name === 'deleteMessages') + 1
const order = [...ofRequest, ...ofOutbox.slice(0, end)].map(({ file }) => file)
console.log(JSON.stringify({ files: files.sort(), order: order.filter((file, at) => file !== order[at - 1]) }, null, 2))

function hasRun({ url, functions }: Profiler.ScriptCoverage): boolean {
  if (!folders.some(folder => url.startsWith(`file://${root}/${folder}/`))) return false
  // The function at 0 without a name is the module itself.
  return functions.some(({ functionName, ranges: [range] }) =>
    functionName !== '' || (range?.startOffset ?? 0) > 0 ? (range?.count ?? 0) > 0 : false,
  )
}
