import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '#platform/logs'
import { credentialsOf, startTestService, type TestService } from '../../support/service/testService.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const booking = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: true,
  Dimension: { width: 10, height: 10, length: 10 },
}
/** The lines of a request; the last one comes after its response. */
async function linesOf(requestId: string) {
  return vi.waitFor(() => {
    const lines = service.lines.filter(line => line.requestId === requestId)
    expect(lines).not.toEqual([])
    return lines
  })
}

const id = (requestId: string) => ({ headers: { 'x-request-id': requestId } })

test('each request is one line with the client, the operation and the result', async () => {
  await service.call('GetPickUpPoints', {}, id('answered'))
  await service.call('CancelShipment', { shipmentUid: 'nothing' }, id('refused'))
  await service.call('CancelShipment', {}, id('invalid'))
  await service.call('CancelShipment', {}, { token: null, ...id('nobody') })
  await service.send('/nowhere', id('nowhere'))
  await service.send('/v1/%', id('no-path'))
  await service.signIn({ ...credentialsOf('acme'), grant_type: 'password' }, { 'x-request-id': 'token' })
  const acme = { tenantId: 'acme', clientId: 'acme', level: 30, durationMs: expect.any(Number) }
  expect(await linesOf('answered')).toMatchObject([{ ...acme, operation: 'GetPickUpPoints', status: 200 }])
  expect(await linesOf('refused')).toMatchObject([
    { ...acme, operation: 'CancelShipment', status: 200, errorCode: 'InvalidShipment' },
  ])
  expect(await linesOf('invalid')).toMatchObject([{ ...acme, status: 400, errorCode: 'InvalidRequest' }])
  expect(await linesOf('nobody')).toMatchObject([
    { operation: 'CancelShipment', status: 401, errorCode: 'Unauthorized' },
  ])
  expect(await linesOf('nowhere')).toMatchObject([{ status: 404, errorCode: 'UnknownOperation' }])
  expect(await linesOf('no-path')).toMatchObject([{ status: 404, errorCode: 'UnknownOperation' }])
  expect(await linesOf('token')).toMatchObject([
    { operation: 'token', status: 400, errorCode: 'unsupported_grant_type' },
  ])
})

test('a failure is logged without the values that a database attaches', () => {
  const written: string[] = []
  const log = createLog('info', { write: line => void written.push(line) })
  const failure = Object.assign(new Error('duplicate key'), { code: '23505', detail: '(email)=(ada@private.example)' })
  log.error({ err: failure }, 'request failed')
  expect(written.join()).toContain('23505')
  expect(written.join()).not.toContain('private')
})

test('no line contains a secret, a token, a code or personal data', async () => {
  const personal = {
    emailAddress: 'ada@private.example',
    firstName: 'Adaline',
    lastName: 'Lovelock',
    phoneNumber: '+31600000001',
  }
  const { body: account } = await service.call('CreateAccount', { ...personal, pickUpPointUid: 'pup-1' })
  await service.call('CreateAccount', { ...personal, pickUpPointUid: 'pup-1' })
  await service.call('CreateAccount', { ...personal, emailAddress: 'no-address-at-all', pickUpPointUid: 'pup-1' })
  const { body: booked } = await service.call('CreateLocalShipmentAsIssue', {
    ...booking,
    ToUserUid: account.userUid,
    Details: { Description: 'private-description' },
  })
  const [shipmentUid] = booked.shipmentUids as string[]
  const { body: codes } = await service.call('GetShipmentAccessCode', { shipmentUid })
  for (const pinCode of [codes.deliveryCode, codes.pickUpCode, 'private-pin']) {
    await service.call('SimulateLockerAccess', { pupUid: 'pup-1', lockerName: '1', pinCode })
  }
  const authKey = 'private-callback-key'
  await service.call('ConfigureCallback', { url: 'http://127.0.0.1:9/private-path', authType: 'HMAC', authKey })
  await service.signIn({ ...credentialsOf('acme'), client_secret: 'private-wrong-secret' })
  await service.signIn({ grant_type: 'client_credentials' }, { authorization: `Basic ${btoa('acme:acme-secret')}` })
  await service.send('/v1/Logistics/GetShipments?access_token=private-query', { method: 'POST', body: 'private-body' })
  await service.store.schema.dropTable('access_codes').execute()
  expect((await service.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'pup-2' })).status).toBe(500)

  // The digits of a time could be those of a code.
  const logged = JSON.stringify(service.lines.map(({ time, durationMs, ...line }) => line))
  const token = await service.token()
  const never = [
    'private',
    'acme-secret',
    btoa('acme:acme-secret'),
    token,
    String(token.split('.')[2]),
    ...Object.values(personal),
    String(codes.deliveryCode),
    String(codes.pickUpCode),
  ]
  for (const text of never) expect(logged, text).not.toContain(text)
  expect(logged).toMatch(/no such table: access_codes|relation .*access_codes.* does not exist/)
})
