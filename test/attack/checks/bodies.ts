import { equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { sendBytes } from '../http.ts'
import { operationNames, pathOf, requests } from '../operations.ts'
import { expectEnvelope, expectRefused, expectSuccess, readVictim, type Scene } from '../scene.ts'

const megabyte = 1_024 * 1_024

/** Bodies that no operation accepts, with the statuses that fit. */
const malformed: Readonly<Record<string, [body: string | Uint8Array, ...statuses: number[]]>> = {
  nothing: ['', 400],
  'half a document': ['{"shipmentUid":', 400],
  'an array': ['[]', 400],
  'a text': ['"text"', 400],
  'a number': ['1', 400],
  null: ['null', 400],
  'two documents': ['{}{}', 400],
  'a comment': ['{/* */}', 400],
  'bytes that are not UTF-8': [Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400],
  'UTF-16': [Buffer.from('{"pageNo":1}', 'utf16le'), 400],
  'a hundred thousand brackets': ['['.repeat(100_000), 400],
  'a hundred thousand nested objects': ['{"a":'.repeat(40_000), 400],
  'one megabyte': [`{"a":"${'a'.repeat(megabyte)}"}`, 413],
}

/** Texts that are code somewhere. */
const injections = [
  "'; drop table shipments; --",
  '" or 1=1 --',
  '$where',
  '{{7*7}}',
  '#{7*7}',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  '=cmd|calc!A0',
  '%00%0d%0aSet-Cookie: a=b',
  '\r\nX-Injected: 1',
  '\u202Egnp.exe',
  'a'.repeat(5_000),
]

/** Values of another type than any field has, or at the limits of numbers. */
const strange: readonly string[] = [
  'null',
  'true',
  '{}',
  '[]',
  '-1',
  '1e400',
  '-0',
  '0.1',
  '9007199254740993',
  '"\\u0000"',
  '"\\ud800"',
  '{"__proto__":{"admin":true}}',
  '[[[[]]]]',
  '""',
]

/** Registers the checks on request bodies. */
export function bodyChecks(scene: () => Scene): void {
  describe('a malformed body is refused', () => {
    test.each(Object.entries(malformed))('%s', async (_name, [body, ...statuses]) => {
      const { attacker } = scene()
      for (const name of ['GetShipments', 'CreateLocalShipmentAsStock', 'CreateAccount'] as const) {
        const response = await attacker.post(pathOf(name), body)
        expectEnvelope(response)
        equal(statuses.includes(response.status), true, `${name}: ${response.status} ${response.text}`)
      }
    })

    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'multipart/form-data; boundary=a',
    ])('of the type %s', async type => {
      const { attacker } = scene()
      const response = await attacker.post(pathOf('GetShipments'), '{}', { headers: { 'content-type': type } })
      expectRefused(response, 415, 'UnsupportedMediaType')
    })
  })

  // Each field of each request takes each value: the service answers in its envelope, and the victim sees no change.
  describe('strange values end in an envelope', () => {
    test.each(operationNames)('%s', async name => {
      const { attacker, own } = scene()
      const before = await readVictim(scene())
      const request = requests[name]({ ...own, shipment: 'x', object: 'x', account: 'x' })
      const values = [...strange, ...injections.map(text => JSON.stringify(text))]
      const bodies = Object.keys(request).flatMap(field => values.map(value => withRaw(request, field, value)))
      for (const body of bodies) expectEnvelope(await attacker.post(pathOf(name), body))
      equal(await readVictim(scene()), before)
    })

    test('properties of the prototype are not properties of a request', async () => {
      const { attacker } = scene()
      const polluting =
        '{"__proto__":{"pageNo":7,"success":false},"constructor":{"prototype":{"pageNo":7}},"pageSize":1}'
      expectEnvelope(await attacker.post(pathOf('GetShipments'), polluting))
      equal(expectSuccess(await attacker.call('GetShipments', { pageSize: 1 })).pageNo, 1)
    })
  })
}

/** A request of which one field has a value that is given as JSON text. */
function withRaw(request: Readonly<Record<string, unknown>>, field: string, json: string): string {
  const rest = Object.entries(request).filter(([name]) => name !== field)
  return `{${[...rest.map(([name, value]) => `"${name}":${JSON.stringify(value)}`), `"${field}":${json}`].join()}}`
}

/** HTTP messages that two servers could read differently. `%` stands for the request line and a valid token. */
const ambiguous: Readonly<Record<string, (head: string) => string>> = {
  'two lengths': head => `${head}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`,
  'a length and chunks': head => `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'an unknown transfer encoding': head => `${head}Transfer-Encoding: xchunked\r\n\r\n{}`,
  'a negative length': head => `${head}Content-Length: -2\r\n\r\n{}`,
  'a length in hexadecimal': head => `${head}Content-Length: 0x2\r\n\r\n{}`,
  'a length with a sign': head => `${head}Content-Length: +2\r\n\r\n{}`,
  'a header without a colon': head => `${head}Content-Length 2\r\n\r\n{}`,
  'a space before the colon': head => `${head}Content-Length : 2\r\n\r\n{}`,
  'a folded header': head => `${head}X-Folded: a\r\n b\r\nContent-Length: 2\r\n\r\n{}`,
  'a NUL in a header': head => `${head}X-Zero: a\0b\r\nContent-Length: 2\r\n\r\n{}`,
  'a header of 100 kB': head => `${head}X-Long: ${'a'.repeat(100_000)}\r\nContent-Length: 2\r\n\r\n{}`,
  'a chunk with a negative size': head => `${head}Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n`,
}

/** Registers the checks on HTTP itself: one message has one meaning. */
export function messageChecks(scene: () => Scene): void {
  describe('an ambiguous HTTP message is not processed', () => {
    test.each(Object.entries(ambiguous))('%s', async (_name, write) => {
      const { attacker, target } = scene()
      const head = `POST ${pathOf('GetShipments')} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nAuthorization: Bearer ${attacker.token}\r\n`
      const response = await sendBytes(target.baseUrl, write(head))
      equal(/^HTTP\/1\.1 (4\d\d|501)|^$/.test(response), true, response.slice(0, 200))
      equal((response.match(/HTTP\/1\.1/g) ?? []).length <= 1, true, response.slice(0, 400))
    })
  })
}
