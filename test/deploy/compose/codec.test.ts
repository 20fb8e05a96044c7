import { defaultPayloadConverter } from '@temporalio/common'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readCodecServerSettings, startCodecServer } from '#gateway/codecServer'
import { createEncryptionCodec } from '../../../platform/codec/dataConverter.ts'
import { newKey, ringOf } from '../../support/codec/keys.ts'
import { encodingsOf, toJson } from '../../support/codec/payloads.ts'
import { composeCommand } from '../../support/compose/composeCommand.ts'
import { filledExample } from '../../support/compose/example.ts'
import { environmentOf, type Resolved, resolve } from '../../support/compose/resolved.ts'
import { findGoProgram } from '../../support/goProgram.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'
import { silentLog } from '../../support/world/settings.ts'

const key = newKey('2026-12')

let command: string | undefined

// The first run on a machine builds it.
beforeAll(async () => {
  command = await findGoProgram(composeCommand, line => console.error(line))
}, 20 * 60_000)

beforeEach(context =>
  context.skip(command === undefined, 'the reader of compose files is built with Go, which this machine lacks'),
)

function resolveWithCodec(): Promise<Resolved> {
  return resolve(command ?? '', {
    ...filledExample(temporaryFolder(), { LOCKERFLOW_CODEC_KEYS: key }),
    LOCKERFLOW_CODEC_URL: 'http://127.0.0.1:8084',
  })
}

/** The address at which a browser of this machine finds a container. */
function publishedBy({ services }: Resolved, name: string): string {
  const [port] = services[name]?.ports ?? []
  return `http://${port?.host_ip}:${port?.published}`
}

test('a browser with the Web UI of docker-compose.yml may call its codec server, which only this machine reaches', async () => {
  const resolved = await resolveWithCodec()
  const ui = resolved.services['temporal-ui']?.environment ?? {}
  expect(ui).toMatchObject({
    TEMPORAL_CODEC_ENDPOINT: publishedBy(resolved, 'codec'),
    TEMPORAL_CODEC_INCLUDE_CREDENTIALS: 'true',
  })
  const origin = publishedBy(resolved, 'temporal-ui')
  const settings = readCodecServerSettings(environmentOf(resolved, 'codec'))
  const server = await startCodecServer({ ...settings, host: '127.0.0.1', port: 0, log: silentLog })
  onTestFinished(() => server.stop())

  // As a browser asks before a request with credentials, a JSON body and the namespace as a header.
  const preflight = await fetch(`${server.address}/decode`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-namespace',
    },
  })
  expect(preflight.status).toBe(204)
  const allowed = (name: string) => preflight.headers.get(`access-control-${name}`)
  expect(allowed('allow-origin')).toBe(origin)
  expect(allowed('allow-credentials')).toBe('true')
  expect(allowed('allow-methods')).toContain('POST')
  for (const header of ['content-type', 'x-namespace']) expect(allowed('allow-headers')).toContain(header)

  const codec = createEncryptionCodec(ringOf(key))
  const encrypted = await codec.encode([defaultPayloadConverter.toPayload('shown')])
  expect(encodingsOf(encrypted)).toEqual(['binary/encrypted'])
  const body = JSON.stringify({ payloads: encrypted.map(toJson) })
  const headers = { origin, 'content-type': 'application/json', 'x-namespace': ui.TEMPORAL_DEFAULT_NAMESPACE ?? '' }
  const response = await fetch(`${server.address}/decode`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  expect(response.headers.get('access-control-allow-credentials')).toBe('true')
  expect(await response.json()).toMatchObject({ payloads: [toJson(defaultPayloadConverter.toPayload('shown'))] })
})
