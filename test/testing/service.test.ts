import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ConnectOptions, connectLockers, type LockerService, startLockers, startService } from '#testing'
import { createJournal } from '../../testing/journal.ts'
import { requireNode } from '../../testing/start.ts'
import { topology } from '../support/world/settings.ts'

describe('a service alone', () => {
  let service: LockerService

  beforeAll(async () => {
    service = await startService({ topology })
  })

  afterAll(() => service.stop())

  test('books a shipment whose item a person brings', async () => {
    const { api, people } = service
    const { shipmentUids } = await api.call('CreateLocalShipmentAsStock', {
      ...{ PupUid: 'pup-1', AllowLargerLockers: true, AllowOverflowLockers: false },
      ...{ Dimension: { width: 10, height: 10, length: 10 }, Details: { ReferenceCaseNo: 'S-1' } },
    })
    await people.dropOff('S-1')
    const { items } = await api.call('GetShipments', { shipmentUid: shipmentUids[0] ?? '' })
    expect(items).toMatchObject([{ stateCode: 'WaitForReceiver' }])
  })

  test('shares nothing with a second one', async () => {
    await using other = await startService({ topology })
    await other.clock.advance('1h')
    await other.people.create('robin')
    await other.api.call('CreateLocalShipmentAsStock', {
      ...{ PupUid: 'pup-1', AllowLargerLockers: true, AllowOverflowLockers: false },
      ...{ Dimension: { width: 10, height: 10, length: 10 }, Details: { ReferenceCaseNo: 'S-2' } },
    })
    expect(await other.api.call('GetShipments', { referenceCaseNo: 'S-2' })).toMatchObject({ totalItems: 1 })
    expect(await service.api.call('GetShipments', { referenceCaseNo: 'S-2' })).toMatchObject({ totalItems: 0 })
    expect(other.clock.now() - service.clock.now()).toBeGreaterThan(3_000_000)
  })

  test('has a clock', async () => {
    const before = service.clock.now()
    await service.clock.advance('3d')
    expect(service.clock.now() - before).toBeGreaterThanOrEqual(3 * 86_400_000)
    expect(await service.api.call('GetPickUpPoints', {})).toMatchObject({ totalItems: 2 })
  })

  test.each(['soon', -1, 0.5])('does not move its clock by %s', async by => {
    await expect(service.clock.advance(by as never)).rejects.toThrow('by: must be a duration')
  })

  test('does not move its clock more than a hundred years ahead', async () => {
    const before = service.clock.now()
    await expect(service.clock.advance(36_500 * 86_400_000)).rejects.toThrow(
      'by: must leave the clock at most a hundred years ahead',
    )
    expect(service.clock.now() - before).toBeLessThan(86_400_000)
  })

  test('needs a tenant', async () => {
    const empty = { tenants: [], pickUpPoints: [] }
    await expect(startService({ topology: empty })).rejects.toThrow('topology: must have a tenant with an API client.')
  })
})

test.each(['20.19.0', '22.18.0'])('Node %s is refused with a sentence', version => {
  expect(() => requireNode(version)).toThrow(
    `Node must be 24 or later to start the service in this process, got ${version}.`,
  )
})

describe('a journal', () => {
  const isLate = ({ name }: { name: string }) => name === 'late'

  test('returns each entry once, also one that comes later', async () => {
    const journal = createJournal<{ caseNo: string; name: string }>('entry')
    journal.add({ caseNo: '1', name: 'late' })
    journal.add({ caseNo: '2', name: 'late' })
    expect(await journal.next(isLate)).toMatchObject({ caseNo: '1' })
    expect(await journal.next(isLate)).toMatchObject({ caseNo: '2' })
    const next = journal.next(isLate)
    journal.add({ caseNo: '3', name: 'early' })
    journal.add({ caseNo: '4', name: 'late' })
    expect(await next).toMatchObject({ caseNo: '4' })
    expect(journal.of('3')).toEqual([{ caseNo: '3', name: 'early' }])
  })

  test('names the entries that did not match', async () => {
    const journal = createJournal<{ caseNo: string; name: string }>('entry')
    await expect(journal.next(isLate, 1)).rejects.toThrow('There is no entry.')
    journal.add({ caseNo: '1', name: 'early' })
    await expect(journal.next(isLate, 1)).rejects.toThrow('No further entry matched within 0.001 s.')
  })
})

describe('an option that the start does not have, such as a misspelled one,', () => {
  test.each([
    ['startLockers', startLockers, 'topology, flows, activities, calendars, temporal, bundle, progress'],
    ['startService', startService, 'topology'],
  ])('is refused by %s', async (_, start, known) => {
    const options: object = { topolgy: 'topology.yaml' }
    await expect(start(options)).rejects.toThrow(`topolgy: must be one of the options ${known}.`)
  })

  test('is refused by connectLockers', async () => {
    const options: object = { baseURL: 'http://127.0.0.1:2' }
    await expect(connectLockers(options as ConnectOptions)).rejects.toThrow(
      'baseURL: must be one of the options baseUrl, clientId, clientSecret, client, dispatcher.',
    )
  })
})

test('fake timers are refused, with which no part of the stack would start', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  await expect(startLockers()).rejects.toThrow('setTimeout must be real')
})
