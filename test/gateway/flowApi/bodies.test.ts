import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { useFlowApi } from '../../support/flowApi/useFlowApi.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const flowApi = useFlowApi(world)

async function post(path: string, body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${await flowApi.issuer.token()}`
  const response = await fetch(flowApi.address + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body,
  })
  const { code, message } = (await response.json()) as { readonly code?: string; readonly message?: string }
  return { status: response.status, acceptEncoding: response.headers.get('accept-encoding'), code, message }
}

const start = (caseNo: string) => JSON.stringify({ caseNo, request: parcel })

test.each(['application/json', 'application/json; charset=iso-8859-1'])(
  'case numbers in Latin-1 as %s are refused, since their letters would become the same character',
  async type => {
    for (const letter of ['ä', 'ö']) {
      const answer = await post('/flows/stock', Buffer.from(start(`${letter}-1`), 'latin1'), { 'content-type': type })
      expect(answer).toMatchObject({ status: 400, code: 'InvalidRequest', message: expect.stringContaining('UTF-8') })
    }
    expect((await flowApi.call('GET', `/flows/${encodeURIComponent('\ufffd-1')}`)).status).toBe(404)
  },
)

test('a compressed body is refused with the encoding that is accepted', async () => {
  const body = new Uint8Array(gzipSync(start('C-1')))
  expect(await post('/flows/stock', body, { 'content-encoding': 'gzip' })).toMatchObject({
    status: 415,
    code: 'UnsupportedMediaType',
    acceptEncoding: 'identity',
    message: expect.stringContaining('Content-Encoding'),
  })
})

test('a body that is missing or is not an object is named', async () => {
  const said = async (body: string) => (await post('/flows/stock', body)).message
  expect(await said('')).toContain('The body is missing.')
  expect(await said('[]')).toContain('The body must be an object.')
  expect((await flowApi.call('POST', '/flows/C-1/decide')).body.message).toContain('The body is missing.')
})

test('a cancellation needs no body, and accepts none of another operation', async () => {
  expect(await flowApi.call('POST', '/flows/nowhere/cancel')).toMatchObject({ status: 404 })
  expect(await flowApi.call('POST', '/flows/nowhere/cancel', {})).toMatchObject({ status: 404 })
  const { message } = await post('/flows/nowhere/cancel', JSON.stringify({ decision: 'extend' }))
  expect(message).toContain('unknown field decision')
})

test('an operation without a body accepts an empty one', async () => {
  expect(await post('/flows/nowhere/release', '')).toMatchObject({ status: 404, code: 'UnknownCase' })
})

test('an unknown field of a query is one of the query', async () => {
  const { message } = await post('/flows/stock?wiat=booked', start('C-1'))
  expect(message).toContain('The query: unknown field wiat.')
})

test('an unknown field of a body is named', async () => {
  const { message } = await post('/flows/stock', JSON.stringify({ caseNo: 'C-1', request: parcel, window: {} }))
  expect(message).toContain('The body: unknown field window.')
})
