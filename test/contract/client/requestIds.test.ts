import { describe, expect } from 'vitest'
import { json, raw } from '../../support/servers/apiStandIn.ts'
import { stockRequest, test } from '../../support/world/apiTest.ts'

const header = (id: string) => ({ 'x-request-id': id })
const refusal = { success: false, error: 'NoLockerAvailable', message: null }
const id = 'request-7'

describe('the request id of the service is a part of', () => {
  test.for([
    ['a refusal', json(200, refusal, header(id)), 'NoLockerAvailable'],
    ['a failing status', json(400, { error: 'InvalidRequest' }, header(id)), 'InvalidRequest'],
    ['a failing status without a code', raw(502, '<h1>Bad gateway</h1>', header(id)), 'InternalError'],
    ['a response that cannot be read', raw(200, '<html>', header(id)), 'MalformedResponse'],
  ] as const)('%s', async ([, reply, code], { standIn, api }) => {
    standIn.operation = reply
    await expect(api.call('CreateLocalShipmentAsStock', stockRequest)).rejects.toMatchObject({ code, requestId: id })
  })

  test('a refused sign-in', async ({ standIn, api }) => {
    standIn.token = json(401, { error: 'invalid_client' }, header(id))
    await expect(api.call('CreateLocalShipmentAsStock', stockRequest)).rejects.toMatchObject({
      code: 'SignInFailed',
      requestId: id,
    })
  })
})

test.for([
  ['missing', {}],
  ['not safe to show', header('two words')],
  ['too long', header('x'.repeat(101))],
] as const)('an id that is %s is left out', async ([, headers], { standIn, api }) => {
  standIn.operation = json(200, refusal, headers)
  const error = await api.call('CreateLocalShipmentAsStock', stockRequest).catch((cause: unknown) => cause)
  expect(error).toMatchObject({ code: 'NoLockerAvailable', requestId: undefined })
})
