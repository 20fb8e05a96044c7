import { describe, expect } from 'vitest'
import { json, type Reply, raw, reset, type Seen, silence, success, tokenBody } from './farSide.ts'
import { faultOf, test } from './fixture.ts'

const counts = { totalCount: 2, importedCount: 1, existedCount: 0, removedCount: 0, errorCount: 1 }
const answer = {
  ...success,
  ...counts,
  reference: 'people',
  dateTime: '2026-11-20T10:00:00.000Z',
  errorLogs: [{ id: 2, message: 'no address' }],
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const file = { name: 'people.csv', bytes: bytes('EmailAddress;PhoneNumber\r\nrobin@example.org;+31') }

describe('an upload', () => {
  test('sends the request and the file as parts, with a length', async ({ farSide, api }) => {
    farSide.operation = json(200, answer)
    const { success: _, error: __, message: ___, ...fields } = answer
    expect(await api.upload('UploadAccountSuggestions', { reference: 'people' }, file)).toEqual(fields)
    const [{ headers, text } = { headers: {} as Seen['headers'], text: '' }] = farSide.at('UploadAccountSuggestions')
    const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(headers['content-type'] ?? '')?.[1]
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text))
    expect(headers.authorization).toBe('Bearer token-1')
    const parts = text.split(`--${boundary}`).map(part => part.trim())
    expect(parts[1]).toMatch(/name="data"\r\n\r\n\{"reference":"people"\}$/)
    expect(parts[2]).toContain('name="file"; filename="people.csv"')
    expect(parts[2]).toContain('robin@example.org;+31')
    expect(parts[3]).toBe('--')
  })

  test('of ten megabytes tells how far it is', async ({ farSide, api }) => {
    farSide.operation = json(200, answer)
    const large = { name: 'large.csv', bytes: new Uint8Array(10 * 1024 * 1024).fill(65) }
    const sent: number[] = []
    await api.upload('UploadAccountSuggestions', {}, large, { onSent: count => sent.push(count) })
    expect(sent.length).toBeGreaterThan(1)
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(farSide.at('UploadAccountSuggestions')[0]?.text.length)
  })

  test('of a byte more is not sent', async ({ farSide, api }) => {
    const large = { name: 'large.csv', bytes: new Uint8Array(10 * 1024 * 1024 + 1) }
    const fault = await faultOf(api.upload('UploadAccountSuggestions', {}, large))
    expect(fault).toMatchObject({ code: 'RequestTooLarge', retryable: false, maybeDone: false })
    expect(farSide.seen).toEqual([])
  })

  test('is sent again, whole, with another token when the first is not accepted', async ({ farSide, api }) => {
    const tokens = ['old', 'new']
    farSide.token = (response, seen, earlier) => json(200, tokenBody(tokens[earlier]))(response, seen, earlier)
    farSide.operation = (response, seen, earlier) =>
      (seen.headers.authorization === 'Bearer new' ? json(200, answer) : json(401, {}))(response, seen, earlier)
    await api.upload('UploadAccountSuggestions', {}, file)
    const uploads = farSide.at('UploadAccountSuggestions')
    expect(uploads.map(({ text }) => text.includes('robin@example.org'))).toEqual([true, true])
  })

  test('that is refused throws the refusal', async ({ farSide, api }) => {
    farSide.operation = json(200, { success: false, error: 'InvalidHeader', message: 'no address' })
    const refused = api.upload('UploadAccountSuggestions', {}, file)
    await expect(refused).rejects.toMatchObject({ name: 'ApiRefusal', code: 'InvalidHeader' })
  })

  const faults: Record<string, { reply: Reply; code: string; maybeDone: boolean }> = {
    'that is cut off': { reply: reset, code: 'NoAnswer', maybeDone: true },
    'without an answer in its time': { reply: silence, code: 'NoAnswer', maybeDone: true },
    'answered by a proxy': { reply: raw(413, '<html>'), code: 'RequestTooLarge', maybeDone: false },
    'whose answer is none': { reply: json(200, success), code: 'StrangeAnswer', maybeDone: true },
  }
  for (const [name, { reply, ...expected }] of Object.entries(faults)) {
    test(`${name} is a fault, and not repeated`, async ({ farSide, connect }) => {
      farSide.operation = reply
      const api = connect({ timeouts: { upload: 300 } })
      expect(await faultOf(api.upload('UploadAccountSuggestions', {}, file))).toMatchObject(expected)
      expect(farSide.at('UploadAccountSuggestions')).toHaveLength(1)
    })
  }

  test('is given up by its caller', async ({ farSide, api }) => {
    const giving = new AbortController()
    farSide.operation = () => giving.abort()
    const fault = await faultOf(api.upload('UploadAccountSuggestions', {}, file, { signal: giving.signal }))
    expect(fault).toMatchObject({ code: 'CallAborted' })
  })
})
