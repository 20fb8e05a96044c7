import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { failed, operations } from '#contract'
import type { Settings } from '#service'
import type { UploadLimits } from '../../../service/suggestions/index.ts'
import { cheapUploads, longUploads } from '../../support/service/longUploads.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'
import { csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const small = csv([{ EmailAddress: 'ada@home.example' }])
const part = '--b\r\nContent-Disposition: form-data; name='
const begin = `${part}"file"; filename="a.csv"\r\n\r\nEmailAddress;`
const rest = `${small.slice('EmailAddress;'.length)}\r\n${part}"data"\r\n\r\n{}\r\n--b--\r\n`

async function start(limits: Partial<UploadLimits> = {}, settings: Partial<Settings> = {}): Promise<ServiceWorld> {
  const world = await createWorld({ service: { ...settings, uploadLimits: { ...cheapUploads, ...limits } } })
  onTestFinished(() => world.stop())
  return world
}

/** Begins a request of acme that sends its headers and the beginning of its body, and no more. */
async function beginRequest(
  { service }: ServiceWorld,
  path: string,
  type: string,
  text: string,
): Promise<ClientRequest> {
  const headers = { authorization: `Bearer ${await service.token()}`, 'content-type': type }
  const request = open({ port: service.port, path, method: 'POST', headers })
  request.on('error', () => undefined)
  onTestFinished(() => void request.destroy())
  await new Promise<void>(resolve => void request.write(text, () => resolve()))
  return request
}

function beginUpload(world: ServiceWorld): Promise<ClientRequest> {
  return beginRequest(world, operations.UploadAccountSuggestions.path, 'multipart/form-data; boundary=b', begin)
}

async function readResponse(request: ClientRequest) {
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(await text(response)) }
}

const descriptors = '/proc/self/fd'
const isUploaded = (name: string) => name.includes('lockerflow-upload-')

/** The files of uploads that this process has open. */
function openFiles(): string[] {
  return readdirSync(descriptors).flatMap(descriptor => {
    try {
      return [readlinkSync(`${descriptors}/${descriptor}`)].filter(isUploaded)
    } catch {
      // It was closed meanwhile.
      return []
    }
  })
}

/** Gives acme's turn to an upload that stands still. Returns it and the response of another one, which got none. */
async function occupyTurn(world: ServiceWorld) {
  const [one, other] = [await beginUpload(world), await beginUpload(world)]
  return Promise.race([
    readResponse(one).then(refused => ({ standing: other, refused })),
    readResponse(other).then(refused => ({ standing: one, refused })),
  ])
}

/** The ids of the lines of the log that need an action. */
function logIdsOf({ service }: ServiceWorld) {
  return service.lines.flatMap(({ logId }) => logId ?? [])
}

test('an upload that stands still holds up its own tenant only, until it ends', async () => {
  const world = await start({ queueLength: 0, concurrency: 1 })
  const { standing, refused } = await occupyTurn(world)
  // Before its body was read.
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' }, body: { error: 'Unavailable' } })
  expect(logIdsOf(world)).toEqual([])
  expect((await upload(world.service, 'a.csv', small)).status).toBe(503)
  expect((await upload(world.service, 'b.csv', small, { client: 'globex' })).status).toBe(200)
  standing.destroy()
  await vi.waitFor(async () => expect((await upload(world.service, 'a.csv', small)).status).toBe(200), 20_000)
})

test('an upload that stands still ends at the time limit', async () => {
  const world = await start({ queueLength: 0, bodyTimeout: 200 })
  const { status, body } = await readResponse(await beginUpload(world))
  expect({ status, body }).toEqual({
    status: 400,
    body: failed('InvalidRequest', 'The body must arrive within 0.2 seconds.'),
  })
  // On a busy machine it may take longer.
  await vi.waitFor(async () => expect((await upload(world.service, 'a.csv', small)).status).toBe(200))
})

test('an upload may arrive later than other requests, since it waits for its turn', async () => {
  const world = await start({}, { requestTimeout: 1_500 })
  const uploads = [await beginUpload(world), await beginUpload(world)]
  const responses = Promise.all(uploads.map(readResponse))
  const late = await beginRequest(world, operations.GetShipments.path, 'application/json', '{')
  expect(await readResponse(late)).toMatchObject({ status: 408 })
  for (const upload of uploads) upload.end(rest)
  expect(await responses).toMatchObject([{ status: 200 }, { status: 200 }])
})

test('many uploads of one tenant wait, and one of another tenant does not wait for them', async () => {
  const { service } = await start({ concurrency: 1, queueLength: 8 })
  const ended: string[] = []
  const rows = csv(Array.from({ length: 3_000 }, (_, row) => ({ EmailAddress: `u${row}@home.example` })))
  const send = (client: string, file: string) =>
    upload(service, 'a.csv', file, { client }).then(({ status }) => void ended.push(`${client} ${status}`))
  const many = Array.from({ length: 6 }, () => send('acme', rows))
  await Promise.all([...many, send('globex', small)])
  expect(ended.toSorted()).toEqual([...Array(6).fill('acme 200'), 'globex 200'])
  // In one queue of all tenants it would be the last.
  expect(ended.indexOf('globex 200')).toBeLessThan(5)
})

test.skipIf(!existsSync(descriptors))(
  'a body is stored in a file without a name, which ends with the upload',
  async () => {
    const world = await start(longUploads)
    // Files of the same kind come and go in the common folder, since other processes of the suite test uploads too.
    const folder = temporaryFolder()
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const request = await beginUpload(world)
    await vi.waitFor(() => expect(openFiles()).toEqual([expect.stringMatching(/ \(deleted\)$/)]))
    expect(readdirSync(folder)).toEqual([])
    request.destroy()
    await vi.waitFor(() => expect(openFiles()).toEqual([]))
    await upload(world.service, 'a.csv', small)
    await upload(world.service, 'a.csv', 'none')
    await vi.waitFor(() => expect(openFiles()).toEqual([]))
  },
)

test('a disk that takes no file is answered with 503', async () => {
  const world = await start()
  const { service } = world
  vi.stubEnv('TMPDIR', '/nowhere/at/all')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await upload(service, 'a.csv', small)).toMatchObject({ status: 503, body: { error: 'Unavailable' } })
  expect(logIdsOf(world)).toEqual(['upload-not-stored'])
  vi.unstubAllEnvs()
  expect((await upload(service, 'a.csv', small)).status).toBe(200)
})
