import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { withReference } from '#contract/terms'
import { toWorkflowId } from '#flows'
import type { WorkerSettings } from '#worker'
import { pass } from '../../../../testing/stack/wire.ts'
import { eventually, gate } from '../../../support/eventually.ts'
import { textOf } from '../../../support/flows/history.ts'
import { file, type Serve, useFileServer } from '../../../support/servers/fileServer.ts'
import { csv, sheet } from '../../../support/service/uploads.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const world = useWorld()
const files = useFileServer()

const limit = 10 * 1024 * 1024

function people(count: number, address = (n: number) => `p${n}-${randomUUID()}@example.org`) {
  return Array.from({ length: count }, (_, n) => ({ EmailAddress: address(n), FirstName: 'Kim' }))
}

async function start(path: string, { reference = null as string | null, windows = {} } = {}): Promise<string> {
  const caseNo = world.newCase(0)
  const request = { url: path.includes('://') ? path : files.url + path, reference }
  await world.flows.start('importAccountSuggestions', { caseNo, request, windows })
  return caseNo
}

async function imported(path: string, options = {}) {
  const caseNo = await start(path, options)
  return { caseNo, ended: await world.flows.result(caseNo) }
}

/** How often a file was sent to the service. */
function uploads(): number {
  return world.toService.passings.filter(({ path }) => path.endsWith('/UploadAccountSuggestions')).length
}

describe('a file is fetched and uploaded', () => {
  test('and the counters and row errors are the result', async () => {
    files.serve = file(csv([...people(3), { EmailAddress: 'none' }]))
    const { caseNo, ended } = await imported('/people.csv', { reference: 'autumn' })
    expect(ended).toEqual({
      kind: 'Ended',
      result: {
        flow: 'importAccountSuggestions',
        caseNo,
        outcome: 'completed',
        shipments: [],
        leftOver: [],
        reference: 'autumn',
        ...{ totalCount: 4, importedCount: 3, existedCount: 0, errorCount: 1 },
        removedCount: expect.any(Number),
        dateTime: expect.stringMatching(/Z$/),
        errorLogs: [{ id: 5, message: expect.stringContaining('EmailAddress') }],
      },
    })
  })

  test.each([
    ['the name in its address', '/a/b/people%20here.csv?key=1', 'people here.csv', () => csv(people(1))],
    ['a name by its content: a text', '/export?format=csv', 'suggestions.csv', () => csv(people(1))],
    ['a name by its content: a spreadsheet', '/export', 'suggestions.xlsx', () => sheet(people(1))],
    ['a name by its content: an old spreadsheet', '/%00', 'suggestions.xls', () => sheet(people(1), 'biff8')],
  ])('under %s', async (_, path, reference, content) => {
    files.serve = file(content())
    expect((await imported(path)).ended).toMatchObject({ result: { reference, importedCount: 1, errorCount: 0 } })
  })

  test('with too many row errors the result has the first hundred', async () => {
    files.serve = file(csv(people(150, n => `wrong ${n}`)))
    const { ended } = await imported('/people.csv')
    const result = ended.kind === 'Ended' ? ended.result : undefined
    expect(result).toMatchObject({ totalCount: 150, errorCount: 150 })
    const log = (n: number) => ({ id: n + 2, message: expect.any(String) })
    expect(result?.errorLogs).toEqual(Array.from({ length: 100 }, (_, n) => log(n)))
  })

  test('of the largest allowed size', async () => {
    const rows = `${csv(people(1))}\r\n`
    files.serve = file(rows + '\r\n'.repeat((limit - rows.length) / 2))
    expect((await imported('/people.csv')).ended).toMatchObject({ result: { importedCount: 1, errorCount: 0 } })
  })

  test('and the heartbeat reports the progress', async () => {
    const half = gate()
    const content = csv(people(2_000))
    files.serve = async response => {
      response.writeHead(200, { 'content-length': content.length }).write(content.slice(0, 1_000))
      await half.opened
      response.end(content.slice(1_000))
    }
    const caseNo = await start('/people.csv')
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
    const progress = await eventually(async () => {
      const { raw } = await handle.describe()
      const [payload] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? []
      return payload?.data ? JSON.parse(Buffer.from(payload.data).toString()) : undefined
    })
    expect(progress).toEqual({ fetched: 1_000, sent: 0, size: null })
    half.open()
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { importedCount: 2_000 } })
  })
})

describe('a file is not fetched', () => {
  const refusals: [what: string, path: string, serve: Serve, code: string][] = [
    ['from where it is not', '/gone.csv', response => response.writeHead(404).end(), 'FileNotFetched'],
    [
      'from where its address leads on to',
      '/moved.csv',
      response => response.writeHead(302, { location: `${files.url}/people.csv` }).end(),
      'FileNotFetched',
    ],
    [
      'when nothing but a part is answered',
      '/part.csv',
      response => response.writeHead(206).end('a'),
      'FileNotFetched',
    ],
    [
      'when it is said to be larger than an upload may be',
      '/large.csv',
      response => response.writeHead(200, { 'content-length': limit + 1 }).flushHeaders(),
      'FileTooLarge',
    ],
    ['when it turns out to be larger', '/large.csv', response => flood(response, limit + 1), 'FileTooLarge'],
  ]

  test.each(refusals)('%s', async (_, path, serve, code) => {
    files.serve = serve
    const before = uploads()
    const { ended } = await imported(path)
    expect(ended).toMatchObject({ kind: 'Refused', code })
    expect(files.asked).toHaveLength(1)
    expect(uploads()).toBe(before)
  })

  test.each([
    ['ftp://files.example/people.csv', /https or http/],
    ['people.csv://', /https or http/],
    ['http://robin:secret@127.0.0.1/people.csv', /must not contain a user name or password/],
    ['http://169.254.169.254/latest/meta-data', /not link-local/],
    ['http://[fe80::1]/people.csv', /not link-local/],
  ])('from %s', async (address, message) => {
    const { ended } = await imported(address)
    expect(ended).toMatchObject({ kind: 'Refused', code: 'InvalidFileUrl', message: expect.stringMatching(message) })
    expect(JSON.stringify(ended)).not.toMatch(/secret|169\.254|fe80/)
  })

  test.each([
    [{}, 'InvalidFlowInput', 'request.url: must be a text, got nothing.'],
    [{ url: 42 }, 'InvalidFlowInput', 'request.url: must be a text, got 42.'],
    [{ url: '' }, 'InvalidFileUrl', 'request.url must be an absolute https or http address.'],
    [
      { url: `https://files.example/${'x'.repeat(2_000)}` },
      'InvalidFileUrl',
      'request.url must be at most 2000 characters.',
    ],
    [
      { url: 'https://files.example/', referense: 'a' },
      'InvalidFlowInput',
      'request.referense: must be one of the fields url, reference.',
    ],
  ] as const)('for %j', async (request, code, message) => {
    const caseNo = world.newCase(0)
    await world.flows.start('importAccountSuggestions', { caseNo, request })
    expect(await world.flows.result(caseNo)).toEqual({ kind: 'Refused', code, message: withReference(code, message) })
  })

  test.each<[string, Partial<WorkerSettings>]>([
    ['where private addresses are not allowed', { privateAddresses: false }],
    ['in production', { environment: 'production', privateAddresses: true }],
  ])('%s, from this machine or without TLS, under any host name', async (_, settings) => {
    await world.restartWorker(settings)
    const port = new URL(files.url).port
    for (const address of [files.url, `https://127.0.0.1:${port}/`, `https://localhost:${port}/`]) {
      expect((await imported(address)).ended).toMatchObject({ kind: 'Refused', code: 'InvalidFileUrl' })
    }
    expect(files.asked).toEqual([])
    await world.restartWorker()
  })
})

describe('a transient fault is retried', () => {
  test.each<[string, Serve]>([
    ['an answer of 503', response => response.writeHead(503).end()],
    ['an answer of 429', response => response.writeHead(429).end()],
    ['a connection that is cut', response => response.socket?.destroy()],
    [
      'half a file',
      response => response.writeHead(200, { 'content-length': 1_000 }).write('a', () => response.socket?.destroy()),
    ],
  ])("%s from the file's server", async (_, fault) => {
    const content = csv(people(1))
    files.serve = (response, request, earlier) => (earlier < 2 ? fault : file(content))(response, request, earlier)
    expect((await imported('/people.csv')).ended).toMatchObject({ result: { importedCount: 1 } })
    expect(files.asked).toHaveLength(3)
  })

  test('a service that is unavailable', async () => {
    files.serve = file(csv(people(1)))
    let cut = 0
    world.toService.rule = ({ path }) => (path.endsWith('Suggestions') && cut++ < 2 ? { kind: 'cut' } : pass)
    expect((await imported('/people.csv')).ended).toMatchObject({ result: { importedCount: 1 } })
  })

  test('an upload whose response is lost is sent again, and compared with itself', async () => {
    files.serve = file(csv(people(2)))
    let lost = 0
    world.toService.rule = ({ path }) => (path.endsWith('Suggestions') && lost++ === 0 ? { kind: 'loseAnswer' } : pass)
    expect((await imported('/people.csv')).ended).toMatchObject({ result: { importedCount: 0, existedCount: 2 } })
  })

  test('until its window has passed', async () => {
    files.serve = response => response.writeHead(503).end()
    const { ended } = await imported('/people.csv', { windows: { upload: '5s' } })
    expect(ended).toMatchObject({ kind: 'Refused', code: 'RunGivenUp', message: /FileNotFetched/ })
  })
})

test('one host has at most five imports in progress, and the others follow', async () => {
  const answered = gate()
  files.serve = async (...request) => {
    await answered.opened
    file(csv(people(1)))(...request)
  }
  const cases = await Promise.all(Array.from({ length: 6 }, () => start('/people.csv')))
  await eventually(async () => {
    const described = await Promise.all(
      cases.map(caseNo => world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()),
    )
    const failures = described.flatMap(({ raw }) => raw.pendingActivities?.map(({ lastFailure }) => lastFailure) ?? [])
    return failures.some(failure => failure?.message?.includes('5 files of this host are being imported'))
  })
  expect(files.asked).toHaveLength(5)
  answered.open()
  for (const caseNo of cases) expect(await world.flows.result(caseNo)).toMatchObject({ result: { totalCount: 1 } })
})

test('a refusal of the service fails the flow with its code', async () => {
  files.serve = file('Name;Address\r\nKim;here')
  const { ended } = await imported('/people.csv')
  expect(ended).toMatchObject({ kind: 'Refused', code: 'InvalidHeader' })
})

describe('cancelling', () => {
  test.each(['update', 'button'])('by %s aborts the download', async way => {
    files.serve = () => undefined
    const before = uploads()
    const caseNo = await start('/never.csv')
    await eventually(() => files.asked.length > 0)
    if (way === 'update') {
      const cancelled = { kind: 'Cancelled', outcome: 'cancelled', leftOver: [] }
      expect(await world.flows.cancel(caseNo, 'over')).toEqual(cancelled)
    } else await world.client.workflow.getHandle(toWorkflowId(caseNo)).cancel()
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
    expect(uploads()).toBe(before)
  })

  test('aborts an upload without a response, and changes nothing', async () => {
    files.serve = file(csv(people(1, () => 'kept@example.org')))
    await imported('/people.csv')
    files.serve = file(csv(people(1)))
    world.toService.rule = ({ path }) =>
      path.endsWith('UploadAccountSuggestions') ? { kind: 'arriveLater', until: new Promise(() => {}) } : pass
    const before = uploads()
    const caseNo = await start('/people.csv')
    await eventually(() => uploads() > before)
    expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled' })
    const { items } = await world.api.call('GetAccountSuggestions', {})
    expect(items.map(({ emailAddress }) => emailAddress)).toEqual(['kept@example.org'])
  })
})

test('neither the address nor the people of a file are in memo, search attributes or summaries', async () => {
  files.serve = file(csv([{ EmailAddress: 'robin@example.org', FirstName: 'Robin' }]))
  const done = await imported('/people.csv?token=hidden')
  files.serve = response => response.writeHead(404, { 'x-why': 'Robin' }).end('Robin')
  const failed = await imported('/people.csv?token=hidden')
  expect(JSON.stringify(failed.ended)).not.toMatch(/hidden|Robin/)
  for (const { caseNo } of [done, failed]) {
    const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
    const seen = JSON.stringify([(await handle.describe()).raw, await handle.query('__temporal_workflow_metadata')])
    expect(seen).toContain(caseNo)
    expect(seen).not.toMatch(/hidden|robin/i)
    expect(await textOf(world, caseNo)).not.toMatch(/robin/i)
  }
})

/** Sends this many bytes without saying how many. */
function flood(response: Parameters<Serve>[0], count: number): void {
  response.on('error', () => undefined).writeHead(200)
  response.end(Buffer.alloc(count, 65))
}
