import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Operation, type OperationName, operations } from '#contract'
import { errors, requestErrors } from '#contract/terms'
import { holdStore } from '../../support/service/blockedRequests.ts'
import { longUploads } from '../../support/service/longUploads.ts'
import { type ServiceResponse, startTestService, type TestService } from '../../support/service/testService.ts'
import { csv, upload } from '../../support/service/uploads.ts'
import { bodyOf, sane } from '../../support/service/validRequest.ts'

type Code = keyof typeof requestErrors

/** A request before anybody knows whether it is one of an operation. */
interface Request {
  readonly path: string
  readonly method: string
  /** `none`, one without the scope, or a good one. */
  readonly token: 'none' | 'scopeless' | 'good'
  /** True if the client has reached its rate limit. */
  readonly tired: boolean
  readonly type: string
  readonly body: string
}

const all = Object.values<Operation>(operations).map(operation => ({ name: operation.name, operation }))
const creating = all.filter(({ operation }) => operation.effect === 'create')
const bodyLimit = 1_024
const fileBytes = 1_024

/** The faults of a request, in the order of the checks. */
const ladder: readonly { readonly code: Code; wrong(operation: Operation): Partial<Request> }[] = [
  { code: 'UnknownOperation', wrong: ({ path }) => ({ path: `${path}/` }) },
  { code: 'MethodNotAllowed', wrong: () => ({ method: 'DELETE' }) },
  { code: 'Unauthorized', wrong: () => ({ token: 'none' }) },
  { code: 'Forbidden', wrong: () => ({ token: 'scopeless' }) },
  { code: 'RateLimited', wrong: () => ({ tired: true }) },
  { code: 'UnsupportedMediaType', wrong: () => ({ type: 'text/plain' }) },
  { code: 'RequestTooLarge', wrong: () => ({ body: '{'.repeat(100_000) }) },
  { code: 'InvalidRequest', wrong: () => ({ body: '{' }) },
]
/** Failures of valid requests, tested below. TooManyAttempts is declared where it occurs: errorCodes.test.ts. */
const later: readonly Code[] = [
  ...(['IdempotencyKeyInUse', 'IdempotencyKeyReused', 'InternalError', 'Unavailable', 'TooManyAttempts'] as const),
]

test('the table has every failure of a request', () => {
  expect([...ladder.map(({ code }) => code), ...later].toSorted()).toEqual(Object.keys(requestErrors).toSorted())
})

describe('before an operation runs', () => {
  let service: TestService
  let scopeless: string
  let now = Date.now()

  beforeAll(async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const signingKey = { ...(await exportJWK(privateKey)), kid: 'given' }
    // One request a second and two at once, by a clock that stands still.
    const limits = { bodyLimit, rateLimit: 1, uploadLimits: { ...longUploads, fileBytes } }
    service = await startTestService({ signingKey, tokenLifetime: 86_400, clock: () => now, ...limits })
    scopeless = await new SignJWT({ client_id: 'acme', tenant: 'acme', scope: 'openid', gen: 0 })
      .setProtectedHeader({ alg: 'ES256', kid: 'given', typ: 'at+jwt' })
      .setIssuer(service.address)
      .setAudience('lockerflow')
      .setExpirationTime('1d')
      .sign(privateKey)
  })
  afterAll(() => service.stop())

  async function send({ path, method, token, type, body }: Request): Promise<ServiceResponse> {
    const bearer = token === 'good' ? await service.token() : scopeless
    const headers = { 'content-type': type, ...(token !== 'none' && { authorization: `Bearer ${bearer}` }) }
    return service.send(path, { method, headers, body })
  }

  test.each(all)('$name: the first failing check decides the response', async ({ operation }) => {
    const type = operation.upload ? 'multipart/form-data; boundary=b' : 'application/json'
    const right: Request = { path: operation.path, method: 'POST', token: 'good', tired: false, type, body: '' }
    for (const [at, { code }] of ladder.entries()) {
      const wrong = ladder.slice(at).toReversed()
      const request: Request = Object.assign({}, right, ...wrong.map(({ wrong }) => wrong(operation)))
      now += 10_000
      if (request.tired) for (let count = 0; count < 2; count++) await send(right)
      const { status, headers, body } = await send(request)
      expect({ code, status, body }).toEqual({
        code,
        status: errors[code].status,
        body: {
          success: false,
          error: code,
          message: expect.stringMatching(/^\w(?!.*errors\.md).*[.)]$/),
        },
      })
      expect(headers.get('retry-after')).toBe(code === 'RateLimited' ? '1' : null)
    }
  })
})

/** The sane fields with another name in every place. */
const other = Object.fromEntries(Object.entries(sane).map(([key, value]) => [key, value === 'none' ? 'other' : value]))

function ask(service: TestService, operation: Operation, headers = {}, fields: object = sane) {
  if (operation.upload) return upload(service, 'a.csv', csv([]))
  return service.call(operation.name as OperationName, bodyOf(operation, fields), { headers })
}

describe.each<[Code, (service: TestService) => Promise<unknown>]>([
  ['InternalError', renameTables],
  ['Unavailable', ({ store }) => store.destroy()],
])('%s', (code, breakIt) => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
    await service.token()
    await breakIt(service)
  })
  afterAll(() => service.stop())

  test.each(all)('$name', async ({ operation }) => {
    const { status, headers, body } = await ask(service, operation)
    expect({ status, error: body.error }).toEqual({ status: errors[code].status, error: code })
    expect(headers.get('retry-after')).toBe(code === 'Unavailable' ? '1' : null)
  })

  test('is in the log', () => {
    const expected = code === 'Unavailable' ? 'store-unavailable' : 'request-failed'
    const ids = service.lines
      .map(({ logId }) => logId)
      .filter(id => id === 'store-unavailable' || id === 'request-failed')
    expect(new Set(ids)).toEqual(new Set([expected]))
  })
})

/** No statement finds what it is about. */
async function renameTables({ store }: TestService): Promise<void> {
  for (const { name } of await store.introspection.getTables()) {
    await store.schema.alterTable(name).renameTo(`${name}_gone`).execute()
  }
}

describe('an Idempotency-Key', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
    await service.token()
  })
  afterAll(() => service.stop())

  test.each(creating)('$name: IdempotencyKeyReused for another request', async ({ name, operation }) => {
    const headers = { 'idempotency-key': name }
    const first = await ask(service, operation, headers)
    expect(first).toMatchObject({ status: 200, body: { success: false } })
    expect(await ask(service, operation, headers, other)).toMatchObject({
      status: 422,
      body: { error: 'IdempotencyKeyReused' },
    })
    expect((await ask(service, operation, headers)).text).toBe(first.text)
    // A body that cannot be read comes first.
    expect((await service.call(name as OperationName, [], { headers })).body.error).toBe('InvalidRequest')
  })

  test.each(creating)('$name: IdempotencyKeyInUse while the first one runs', async ({ name, operation }) => {
    const letGo = await holdStore(service)
    onTestFinished(letGo)
    const headers = { 'idempotency-key': `${name}, at once` }
    const both = [ask(service, operation, headers), ask(service, operation, headers)]
    expect(await Promise.race(both)).toMatchObject({ status: 409, body: { error: 'IdempotencyKeyInUse' } })
    await letGo()
    await Promise.all(both)
  })
})
