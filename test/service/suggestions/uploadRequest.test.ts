import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { request as open } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { operations } from '#contract'
import { cheapUploads, longUploads } from '../../support/service/longUploads.ts'
import { csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

const { path } = operations.UploadAccountSuggestions
const limits = { ...cheapUploads, fileBytes: 500_000 }

let world: ServiceWorld
beforeAll(async () => {
  world = await createWorld({ service: { uploadLimits: limits } })
})
afterAll(() => world.stop())

const good = csv([{ EmailAddress: 'ada@home.example' }])
const authorized = async () => ({ authorization: `Bearer ${await world.service.token()}` })
const typed = 'multipart/form-data; boundary=b'

/** A body by hand: each part its headers and its text. */
function body(...parts: [string, string][]): string {
  return `${parts.map(([head, text]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`).join('')}--b--\r\n`
}

const data: [string, string] = ['name="data"', '{}']
/** The part `data` with this number of bytes. */
const dataOf = (size: number) => `{"other":"${'x'.repeat(size - 12)}"}`
const file: [string, string] = ['name="file"; filename="a.csv"', good]

async function post(text: string, type: string | undefined = typed, token = true) {
  const headers = { ...(token && (await authorized())), ...(type !== undefined && { 'content-type': type }) }
  return world.service.send(path, { method: 'POST', headers, body: new Uint8Array(Buffer.from(text)) })
}

describe('the first failing check decides the response (SPEC-99)', () => {
  test.each<[string, number, string, () => ReturnType<typeof post>]>([
    ['no token, another type', 401, 'Unauthorized', () => post('{}', 'application/json', false)],
    ['JSON', 415, 'UnsupportedMediaType', () => post('{}', 'application/json')],
    ['a form of another kind', 415, 'UnsupportedMediaType', () => post('a=b', 'application/x-www-form-urlencoded')],
    ['no type', 415, 'UnsupportedMediaType', () => post(body(data, file), '')],
    ['no boundary', 400, 'InvalidRequest', () => post(body(data, file), 'multipart/form-data')],
    ['another boundary', 400, 'InvalidRequest', () => post(body(data, file), 'multipart/form-data; boundary=c')],
    ['no body', 200, 'NoRequestData', () => post('')],
    ['no parts', 200, 'NoRequestData', () => post(body())],
    [
      'a part with the name of a member of every object, and no file',
      200,
      'NoRequestFile',
      () => post(body(['name="constructor"', 'x'], data)),
    ],
    [
      'such a part in a body that is cut off',
      400,
      'InvalidRequest',
      () => post(body(['name="constructor"', 'x'], data, file).slice(0, -20)),
    ],
    [
      'such a part that is cut off',
      400,
      'InvalidRequest',
      () => post(body(data, file, ['name="constructor"', 'x']).slice(0, -20)),
    ],
    [
      'such a part among too many',
      413,
      'RequestTooLarge',
      () => post(body(data, ...Array.from({ length: 20 }, (): [string, string] => ['name="constructor"', 'x']))),
    ],
    ['a body that is cut off', 400, 'InvalidRequest', () => post(body(data, file).slice(0, -20))],
    ['too large', 413, 'RequestTooLarge', () => post(body(data, ['name="file"', 'x'.repeat(600_000)]))],
    ['a little too large', 413, 'RequestTooLarge', () => post(body(data, ['name="file"', 'x'.repeat(500_001)]))],
    [
      'too large in parts',
      413,
      'RequestTooLarge',
      () => post(body(data, file, ['name="x"', 'x'.repeat(499_999)], ['name="y"', 'x'.repeat(70_000)])),
    ],
    [
      'too many parts',
      413,
      'RequestTooLarge',
      () => post(body(...Array.from({ length: 20 }, (_, n): [string, string] => [`name="p${n}"`, 'x']))),
    ],
    ['a part twice', 400, 'InvalidRequest', () => post(body(data, data, file))],
    ['no data', 200, 'NoRequestData', () => post(body(file))],
    ['neither', 200, 'NoRequestData', () => post(body(['name="other"', 'x']))],
    ['data that is not JSON, no file', 400, 'InvalidRequest', () => post(body(['name="data"', '{']))],
    ['data that is empty', 200, 'NoRequestData', () => post(body(['name="data"', ''], file))],
    ['data that is blank', 200, 'NoRequestData', () => post(body(['name="data"', ' \r\n'], file))],
    ['data that is null', 200, 'NoRequestData', () => post(body(['name="data"', ' null '], file))],
    ['data that is too large', 413, 'RequestTooLarge', () => post(body(['name="data"', dataOf(65_537)], file))],
    ['data as large as a file', 413, 'RequestTooLarge', () => post(body(['name="data"', dataOf(500_000)]))],
    ['data that does not fit, no file', 400, 'InvalidRequest', () => post(body(['name="data"', '{"reference":1}']))],
    ['no file', 200, 'NoRequestFile', () => post(body(data))],
    ['an empty file', 200, 'MissingFile', () => post(body(data, ['name="file"; filename="a.csv"', '']))],
    [
      'a file of another type',
      200,
      'InvalidImportType',
      () => post(body(data, ['name="file"; filename="a.pdf"', good])),
    ],
  ])('%s: %i %s', async (_, status, error, send) => {
    const response = await send()
    expect({ status: response.status, error: response.body.error }).toEqual({ status, error })
    expect(response.body).toEqual({ success: false, error, message: expect.any(String) })
  })

  test.each([
    ['[]', 'data: must be an object.'],
    ['{', 'data is not JSON in UTF-8.'],
    [' ', 'The request has no part named data, or an empty one.'],
  ])('data that is %s is named in the message', async (text, message) => {
    const response = await post(body(['name="data"', text], file))
    expect(response.body).toMatchObject({ message: expect.stringContaining(message) })
  })

  test('a scope of its own keeps other operations as they were', async () => {
    const response = await world.service.send(operations.GetAccount.path, {
      method: 'POST',
      headers: { ...(await authorized()), 'content-type': typed },
      body: body(data),
    })
    expect(response).toMatchObject({ status: 415, body: { error: 'UnsupportedMediaType' } })
  })
})

describe('these are accepted (SPEC-75)', () => {
  test.each<[string, [string, string][], string]>([
    ['the file first', [file, data], typed],
    [
      'names without quotes',
      [
        ['name=data', '{}'],
        ['name=file; filename=a.csv', good],
      ],
      typed,
    ],
    ['a boundary in quotes', [data, file], 'multipart/form-data; boundary="b"'],
    ...['constructor', '__proto__', 'toString'].map((name): [string, [string, string][], string] => [
      `an unknown part ${name}`,
      [[`name="${name}"`, 'x'], data, [`name="${name}"; filename="b.csv"`, 'x'], file],
      typed,
    ]),
    ['data of the greatest size', [['name="data"', dataOf(65_536 - good.length)], file], typed],
    ['data as JSON', [['name="data"\r\nContent-Type: application/json', '{}'], file], typed],
    ['data as a file', [['name="data"; filename="blob"\r\nContent-Type: application/json', '{}'], file], typed],
    ['unexpected parts', [['name="other"', 'x'], ['name="other"', 'y'], data, file], typed],
    ['another casing of the type', [data, file], 'Multipart/Form-Data; boundary=b'],
  ])('%s', async (_, parts, type) => {
    const response = await post(body(...parts), type)
    expect(response.body).toMatchObject({ success: true, totalCount: 1, errorCount: 0, reference: 'a.csv' })
  })

  test('the content decides the type of a file without a name', async () => {
    expect((await post(body(data, ['name="file"', good]))).body).toMatchObject({ success: true, reference: 'file' })
  })
})

const uploads = ({ service }: ServiceWorld) => service.store.selectFrom('suggestion_uploads').select('active').execute()
async function seen({ call }: ServiceWorld): Promise<string[]> {
  return (await call('GetAccountSuggestions', {})).items.map(({ emailAddress }) => emailAddress)
}
const many = csv(Array.from({ length: 10_000 }, (_, row) => ({ EmailAddress: `u${row}@home.example` })))

describe('an aborted upload leaves nothing', () => {
  test('half way through its body', async () => {
    await upload(world.service, 'a.csv', good)
    const [half] = body(data, ['name="file"; filename="a.csv"', many]).split('u5000')
    const whole = Buffer.byteLength(body(data, ['name="file"; filename="a.csv"', many]))
    const headers = { ...(await authorized()), 'content-type': typed, 'content-length': whole }
    const before = world.service.lines.length
    const request = open({ port: world.service.port, path, method: 'POST', headers })
    const hungUp = once(request, 'error')
    await new Promise<void>(resolve => void request.write(half, () => resolve()))
    request.destroy()
    await hungUp
    await vi.waitFor(() => expect(world.service.lines.length).toBeGreaterThan(before))
    expect(await uploads(world)).toEqual([{ active: 1 }])
    expect(await seen(world)).toEqual(['ada@home.example'])
  })

  test('while a child process reads it', async () => {
    const world = await createWorld({ service: { uploadLimits: longUploads } })
    onTestFinished(() => world.stop())
    let children = 0
    const onChild = () => void children++
    subscribe('child_process', onChild)
    onTestFinished(() => void unsubscribe('child_process', onChild))
    await upload(world.service, 'a.csv', good)
    expect(children).toBe(1)
    const gone = new AbortController()
    const sending = upload(world.service, 'b.csv', many, { signal: gone.signal })
    sending.catch(() => undefined)
    await vi.waitFor(async () => expect(await uploads(world)).toHaveLength(2), { interval: 5 })
    gone.abort()
    await expect(sending).rejects.toThrow()
    await vi.waitFor(async () => expect(await uploads(world)).toEqual([{ active: 1 }]), { timeout: 10_000 })
    expect(await seen(world)).toEqual(['ada@home.example'])
  })

  test('by a process that has died, an hour later', async () => {
    const { store } = world.service
    const [{ tenant_id }] = (await store.selectFrom('suggestion_uploads').select('tenant_id').execute()) as [
      { tenant_id: string },
    ]
    const row = { upload_id: 'left', tenant_id, active: 0, reference: null, created_at: 0 } as const
    await store
      .insertInto('suggestion_uploads')
      .values({ ...row, expires_at: Date.now() + 60_000 })
      .execute()
    await upload(world.service, 'a.csv', good)
    expect(await uploads(world)).toHaveLength(2)
    world.service.advance(60_001)
    await upload(world.service, 'a.csv', good)
    expect(await uploads(world)).toEqual([{ active: 1 }])
  })
})

test('the document describes the parts', async () => {
  const { body: document } = await world.service.send('/openapi.json')
  expect(document).toMatchObject({
    paths: {
      [path]: {
        post: {
          requestBody: {
            content: {
              'multipart/form-data': {
                schema: {
                  required: ['data', 'file'],
                  properties: {
                    data: { $ref: '#/components/schemas/UploadAccountSuggestionsRequest' },
                    file: { format: 'binary' },
                  },
                },
              },
            },
          },
        },
      },
    },
    components: { schemas: { UploadAccountSuggestionsRequest: { properties: { reference: {} } } } },
  })
})
