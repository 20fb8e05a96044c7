import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../../project/sources.ts'
import { childEnvironment } from '../../support/childEnvironment.ts'
import { runProcess } from '../../support/command/process.ts'
import { runVerb } from '../../support/command.ts'
import type { ApiWorld } from '../../support/world/apiWorld.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { createWorld } from '../../support/world/createWorld.ts'

const run = promisify(execFile)
let world: ApiWorld
const folder = mkdtempSync(join(tmpdir(), 'lockerflow-call-'))

beforeAll(async () => {
  world = await createWorld({ api: true })
})
afterAll(() => world.stop())

function environment(): NodeJS.ProcessEnv {
  const { baseUrl, authUrl, clientId, clientSecret } = world.apiSettings
  return {
    LOCKERFLOW_BASE_URL: baseUrl,
    LOCKERFLOW_AUTH_URL: authUrl,
    LOCKERFLOW_CLIENT_ID: clientId,
    LOCKERFLOW_CLIENT_SECRET: clientSecret,
  }
}

const call = (...args: string[]) => runVerb(['call', ...args], environment())

const stockFlags = [
  ...['--PupUid', 'pup-1', '--AllowLargerLockers', '--AllowOverflowLockers', 'false'],
  ...['--Dimension.width', '30', '--Dimension.height', '15', '--Dimension.length', '40'],
]

test('a call by flags prints the response with its codes, and the request id', async () => {
  const booked = await call('CreateLocalShipmentAsStock', ...stockFlags, '--idempotency-key', 'one')
  const [response] = booked.values as { shipmentUids: string[] }[]
  expect(booked).toMatchObject({ code: 0, values: [{ success: true, shipmentUids: [expect.any(String)] }] })
  expect(booked.notes).toEqual([expect.stringMatching(/^request id [\w-]+$/)])
  expect((await call('CreateLocalShipmentAsStock', ...stockFlags, '--idempotency-key', 'one')).values).toEqual([
    response,
  ])
  const codes = await call('getshipmentaccesscode', '--shipmentUid', response?.shipmentUids[0] ?? '')
  expect(codes.values).toMatchObject([{ deliveryCode: expect.stringMatching(/^\d+$/) }])
})

test('a body comes from a file, and flags change it', async () => {
  const body = join(folder, 'stock.json')
  writeFileSync(body, JSON.stringify({ ...parcel, PupUid: 'nowhere' }))
  expect(await call('CreateLocalShipmentAsStock', '--body', body)).toMatchObject({
    code: 1,
    failure: { code: 'InvalidPupUid', requestId: expect.any(String), message: expect.stringContaining('(HTTP 200)') },
  })
  expect(await call('CreateLocalShipmentAsStock', '--body', body, '--PupUid', 'pup-1')).toMatchObject({ code: 0 })
})

describe('a create whose response is late, after Ctrl-C', () => {
  /** Holds the response of the service back until `release`. */
  async function interrupt({ release }: { readonly release: boolean }) {
    const created = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const proxy = createServer(async (request, response) => {
      const body = await text(request)
      const { 'content-type': type = '', authorization = '' } = request.headers
      const address = `${world.apiSettings.baseUrl}${request.url}`
      const headers = { 'content-type': type, ...(authorization && { authorization }) }
      const answered = await fetch(address, { method: 'POST', headers, body })
      if (request.url?.includes('Create')) {
        created.resolve()
        await released.promise
      }
      response.writeHead(answered.status, { 'content-type': 'application/json' }).end(await answered.text())
    })
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      released.resolve()
      proxy.close()
    })
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const env = { ...childEnvironment, ...environment(), LOCKERFLOW_BASE_URL: address, LOCKERFLOW_AUTH_URL: address }
    const words = ['cli/lockerflow.ts', 'call', 'CreateLocalShipmentAsStock', ...stockFlags]
    const child = spawn(process.execPath, words, { cwd: root, env })
    const printed = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    await created.promise
    child.kill('SIGINT')
    await Promise.race([once(child.stderr, 'data'), printed])
    if (release) released.resolve()
    const [stdout, stderr, [code]] = await printed
    return { code, stdout, stderr }
  }

  test('prints the response', async () => {
    const { code, stdout, stderr } = await interrupt({ release: true })
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^The outcome of CreateLocalShipmentAsStock is not known/),
    ])
    expect(JSON.parse(stdout)).toMatchObject({ success: true, shipmentUids: [expect.any(String)] })
  })

  test('ends after a while, and says that the outcome is unknown', { timeout: 60_000 }, async () => {
    const { code, stdout, stderr } = await interrupt({ release: false })
    expect([code, stdout]).toEqual([130, ''])
    expect(stderr).toMatch(/no response to CreateLocalShipmentAsStock.*GetShipments.*\(Interrupted\)\n$/s)
  })
})

test('a body comes from standard input', async () => {
  const words = ['call', 'CreateLocalShipmentAsStock', '--body', '-']
  const { code, stdout, stderr } = await runProcess(environment(), words, JSON.stringify(parcel))
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^request id [\w-]+\n$/)])
  expect(JSON.parse(stdout)).toMatchObject({ success: true, shipmentUids: [expect.any(String)] })
})

test('an upload sends its file', async () => {
  const data = join(folder, 'people.csv')
  const titles = 'EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint'
  writeFileSync(data, `${titles}\r\nkim@example.org;;;Kim;Reader;;pup-1\r\n`)
  expect(await call('UploadAccountSuggestions', '--reference', 'people', '--data', data)).toMatchObject({
    code: 0,
    values: [{ success: true, totalCount: 1, reference: 'people' }],
  })
})

describe('a request is checked before it is sent', () => {
  test.each<[string[], string]>([
    [['GetShipment'], 'operation: must be one of GetShipmentAccessCode, GetShipments, got "GetShipment".'],
    [['GetShipments', '--pup', '7'], '--pup: must be a field of the request.'],
    [['GetShipments', '--pageSize', '501'], 'pageSize: '],
    [['CreateLocalShipmentAsStock', ...stockFlags.slice(0, -2)], 'Dimension.length is missing.'],
    [['CancelShipment'], 'shipmentUid is missing. Use --no-check'],
    [['UploadAccountSuggestions'], '--data: must be the file that UploadAccountSuggestions uploads.'],
    [['UploadAccountSuggestions', '--data', '/nowhere.csv'], '--data: must be a file that can be read'],
    [['GetShipments', '--data', 'x.csv'], '--data: must be omitted'],
    [['GetShipments', '--idempotency-key', ''], '--idempotency-key: must not be empty.'],
    [['GetShipments', '--body', '/nowhere.json'], '--body: must be a file that can be read'],
  ])('%j', async (args, message) => {
    const { code, failure } = await call(...args)
    expect([code, failure?.message]).toEqual([2, expect.stringContaining(message)])
  })

  test('except with --no-check', async () => {
    expect(await call('GetShipments', '--pageSize', 'many', '--Other', '--no-check')).toMatchObject({
      code: 1,
      failure: { code: 'InvalidRequest', message: expect.stringMatching(/pageSize.*\(HTTP 400\)$/) },
    })
  })
})

test('a service that is away, and a secret that is wrong, have exit codes of their own', async () => {
  const away = { ...environment(), LOCKERFLOW_BASE_URL: 'http://127.0.0.1:1' }
  expect(await runVerb(['call', 'GetPickUpPoints'], away)).toMatchObject({
    code: 3,
    failure: { code: 'ServiceUnreachable' },
  })
  const wrong = { ...environment(), LOCKERFLOW_CLIENT_SECRET: 'wrong' }
  expect(await runVerb(['call', 'GetPickUpPoints'], wrong)).toMatchObject({
    code: 1,
    failure: { code: 'SignInFailed' },
  })
})

test('the printed commands upload a file of any name', async () => {
  const data = join(folder, `it's; "one", \\two.csv`)
  writeFileSync(data, 'EmailAddress;PhoneNumber;LanguageCode;FirstName;LastName;Remarks;PickUpPoint\r\n')
  const { lines } = await call('UploadAccountSuggestions', '--data', data, '--print')
  const { LOCKERFLOW_CLIENT_SECRET = '' } = environment()
  const env = { PATH: process.env.PATH, LOCKERFLOW_CLIENT_SECRET }
  const { stdout } = await run('sh', ['-c', lines.join('\n')], { env })
  expect(JSON.parse(stdout)).toMatchObject({ success: true, totalCount: 0 })
})

test('the printed commands make the same call, without the secret in them', async () => {
  const description = `it's "quoted" $HOME \`pwd\``
  const printed = await call(
    'CreateLocalShipmentAsStock',
    ...stockFlags,
    '--Details.Description',
    description,
    '--print',
  )
  const script = printed.lines.join('\n')
  expect(script).not.toContain(world.apiSettings.clientSecret)
  const { LOCKERFLOW_CLIENT_SECRET = '' } = environment()
  const { stdout } = await run('sh', ['-c', script], { env: { PATH: process.env.PATH, LOCKERFLOW_CLIENT_SECRET } })
  const { shipmentUids } = JSON.parse(stdout)
  expect((await call('GetShipments', '--shipmentUid', shipmentUids[0])).values).toMatchObject([
    { items: [{ description }] },
  ])
})
