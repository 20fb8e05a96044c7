import { describe, expect } from 'vitest'
import {
  json,
  noResponse,
  type Reply,
  raw,
  reset,
  type Seen,
  success,
  tokenBody,
} from '../../support/servers/apiStandIn.ts'
import { faultOf, test } from '../../support/world/apiTest.ts'

const counts = { totalCount: 2, importedCount: 1, existedCount: 0, removedCount: 0, errorCount: 1 }
const answer = {
  ...success,
  ...counts,
  reference: 'people',
  dateTime: '2026-11-20T10:00:00.000Z',
  errorLogs: [{ id: 2, message: 'no address' }],
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const file = { name: 'people.csv', bytes: bytes('EmailAddress;PhoneNumber\r\nrobin@example.org;+31612345678') }

describe('an upload', () => {
  test('sends the request and the file as parts, with a length', async ({ standIn, api }) => {
    standIn.operation = json(200, answer)
    const { success: _, error: __, message: ___, ...fields } = answer
    expect(await api.upload('UploadAccountSuggestions', { reference: 'people' }, file)).toEqual(fields)
    const [{ headers, text } = { headers: {} as Seen['headers'], text: '' }] = standIn.at('UploadAccountSuggestions')
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(headers['content-type'] ?? '')?.[1]
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text))
    expect(headers.authorization).toBe('Bearer token-1')
    const parts = text.split(`--${boundary}`).map(part => part.trim())
    expect(parts[1]).toMatch(/name="data"\r\n\r\n\{"reference":"people"\}$/)
    expect(parts[2]).toContain('name="file"; filename="people.csv"')
    expect(parts[2]).toContain('robin@example.org;+31612345678')
    expect(parts[3]).toBe('--')
  })

  test('of ten megabytes reports its progress', async ({ standIn, api }) => {
    standIn.operation = json(200, answer)
    const large = { name: 'large.csv', bytes: new Uint8Array(10 * 1024 * 1024).fill(65) }
    const sent: number[] = []
    await api.upload('UploadAccountSuggestions', {}, large, { onSent: count => sent.push(count) })
    expect(sent.length).toBeGreaterThan(1)
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(standIn.at('UploadAccountSuggestions')[0]?.text.length)
  })

  test('above the limit is not sent', async ({ standIn, api }) => {
    const large = { name: 'large.csv', bytes: new Uint8Array(10 * 1024 * 1024 + 1) }
    const fault = await faultOf(api.upload('UploadAccountSuggestions', {}, large))
    expect(fault).toMatchObject({ code: 'RequestTooLarge', retryable: false, outcomeUnknown: false })
    expect(standIn.seen).toEqual([])
  })

  test('is sent again in full with a new token if the first is rejected', async ({ standIn, api }) => {
    const tokens = ['old', 'new']
    standIn.token = (response, seen, earlier) => json(200, tokenBody(tokens[earlier]))(response, seen, earlier)
    standIn.operation = (response, seen, earlier) =>
      (seen.headers.authorization === 'Bearer new' ? json(200, answer) : json(401, {}))(response, seen, earlier)
    await api.upload('UploadAccountSuggestions', {}, file)
    const uploads = standIn.at('UploadAccountSuggestions')
    expect(uploads.map(({ text }) => text.includes('robin@example.org'))).toEqual([true, true])
  })

  test('that is refused throws the refusal', async ({ standIn, api }) => {
    standIn.operation = json(200, { success: false, error: 'InvalidHeader', message: 'no address' })
    const refused = api.upload('UploadAccountSuggestions', {}, file)
    await expect(refused).rejects.toMatchObject({ name: 'ApiRefusal', code: 'InvalidHeader' })
  })

  const faults: Record<string, { reply: Reply; code: string; outcomeUnknown: boolean }> = {
    'that is cut off': { reply: reset, code: 'NoResponse', outcomeUnknown: true },
    'without an answer in its time': { reply: noResponse, code: 'NoResponse', outcomeUnknown: true },
    'answered by a proxy': { reply: raw(413, '<html>'), code: 'RequestTooLarge', outcomeUnknown: false },
    'whose response is malformed': { reply: json(200, success), code: 'MalformedResponse', outcomeUnknown: true },
  }
  for (const [name, { reply, ...expected }] of Object.entries(faults)) {
    test(`${name} is a fault, and not retried`, async ({ standIn, connect }) => {
      standIn.operation = reply
      const api = connect(reply === noResponse ? { timeouts: { upload: 300 } } : {})
      expect(await faultOf(api.upload('UploadAccountSuggestions', {}, file))).toMatchObject(expected)
      expect(standIn.at('UploadAccountSuggestions')).toHaveLength(1)
    })
  }

  test('is aborted by its caller', async ({ standIn, api }) => {
    const giving = new AbortController()
    standIn.operation = () => giving.abort()
    const fault = await faultOf(api.upload('UploadAccountSuggestions', {}, file, { signal: giving.signal }))
    expect(fault).toMatchObject({ code: 'CallAborted' })
  })
})
