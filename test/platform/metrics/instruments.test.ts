import { expect, test } from 'vitest'
import { startMeasurement } from '#platform/metrics'
import { eventually } from '../../support/eventually.ts'
import { startMeter } from '../../support/metrics/meter.ts'

test('scrapes read the last measurement', async () => {
  const meter = startMeter()
  let measured = 0
  const measurement = startMeasurement(
    async () => {
      measured++
      meter.instruments.set('lockerflow_lockers_free', [{ value: 7, labels: { pick_up_point: 'pup-1' } }])
    },
    () => undefined,
    86_400_000,
  )
  await eventually(async () => measured === 1)
  for (let scrape = 0; scrape < 5; scrape++) {
    expect(await meter.read('lockerflow_lockers_free')).toEqual([{ value: 7, attributes: { pick_up_point: 'pup-1' } }])
  }
  expect(measured).toBe(1)
  meter.instruments.set('lockerflow_lockers_free', [])
  expect(await meter.read('lockerflow_lockers_free')).toEqual([
    { value: Number.NaN, attributes: { pick_up_point: 'pup-1' } },
  ])
  measurement.stop()
  await meter.stop()
})

test('a measurement that fails is reported and repeated, and never runs twice at a time', async () => {
  const failures: unknown[] = []
  let running = 0
  let most = 0
  let runs = 0
  const measurement = startMeasurement(
    async () => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setImmediate(resolve))
      running--
      if (runs++ === 0) throw new Error('away')
    },
    error => failures.push(error),
    1,
  )
  await eventually(async () => runs > 3)
  measurement.stop()
  expect(failures).toEqual([new Error('away')])
  expect(most).toBe(1)
})

test('a counter counts by its labels', async () => {
  const meter = startMeter()
  for (const result of ['booked', 'booked', 'NoLockerAvailable'])
    meter.instruments.count('lockerflow_bookings_total', { result })
  expect(await meter.read('lockerflow_bookings_total')).toEqual([
    { value: 2, attributes: { result: 'booked' } },
    { value: 1, attributes: { result: 'NoLockerAvailable' } },
  ])
  await meter.stop()
})
