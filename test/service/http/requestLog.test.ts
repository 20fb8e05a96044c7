import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '#service'
import { credentialsOf, startTestService, type TestService } from './harness.ts'

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
/** The lines of a request; the last one comes after its answer. */
async function linesOf(requestId: string) {
  return vi.waitFor(() => {
    const lines = service.lines.filter(line => line.requestId === requestId)
    expect(lines).not.toEqual([])
    return lines
  })
}

const id = (requestId: string) => ({ headers: { 'x-request-id': requestId } })

test('each request is one line, which says who asked what and how it ended', async () => {
  await service.call('GetPickUpPoints', {}, id('answered'))
  await service.call('CancelShipment', { shipmentUid: 'nothing' }, id('refused'))
  await service.call('CancelShipment', {}, id('invalid'))
  await service.call('CancelShipment', {}, { token: null, ...id('nobody') })
  await service.send('/nowhere', id('nowhere'))
  await service.send('/v1/%', id('no-path'))
  await service.signIn({ ...credentialsOf('acme'), grant_type: 'password' }, { 'x-request-id': 'token' })
  const acme = { tenant: 'acme', client: 'acme', level: 30, ms: expect.any(Number) }
  expect(await linesOf('answered')).toMatchObject([{ ...acme, operation: 'GetPickUpPoints', status: 200 }])
  expect(await linesOf('refused')).toMatchObject([
    { ...acme, operation: 'CancelShipment', status: 200, error: 'InvalidShipment' },
  ])
  expect(await linesOf('invalid')).toMatchObject([{ ...acme, status: 400, error: 'InvalidRequest' }])
  expect(await linesOf('nobody')).toMatchObject([{ operation: 'CancelShipment', status: 401, error: 'Unauthorized' }])
  expect(await linesOf('nowhere')).toMatchObject([{ status: 404, error: 'UnknownOperation' }])
  expect(await linesOf('no-path')).toMatchObject([{ status: 404, error: 'UnknownOperation' }])
  expect(await linesOf('token')).toMatchObject([{ operation: 'token', status: 400, error: 'unsupported_grant_type' }])
})

test('a failure is logged without the values that a database hangs on it', () => {
  const written: string[] = []
  const log = createLog('info', { write: line => void written.push(line) })
  const failure = Object.assign(new Error('duplicate key'), { code: '23505', detail: '(email)=(ada@private.example)' })
  log.error({ err: failure }, 'request failed')
  expect(written.join()).toContain('23505')
  expect(written.join()).not.toContain('private')
})

test('no line carries a secret, a token, a code or anything personal', async () => {
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

  const logged = JSON.stringify(service.lines)
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
