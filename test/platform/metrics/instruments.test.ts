import { expect, test } from 'vitest'
import { createGauge, startMeasurement } from '#platform/metrics'
import { eventually } from '../../support/eventually.ts'
import { startMeter } from '../../support/metrics/meter.ts'

test('scrapes read the last measurement', async () => {
  const { meter, read, stop } = startMeter()
  const gauge = createGauge<'pick_up_point'>(meter, 'lockerflow_lockers_free', 'Lockers that can be booked.')
  let measured = 0
  const measurement = startMeasurement(
    async () => {
      measured++
      gauge.set([{ value: 7, labels: { pick_up_point: 'pup-1' } }])
    },
    () => undefined,
    86_400_000,
  )
  await eventually(async () => measured === 1)
  for (let scrape = 0; scrape < 5; scrape++) {
    expect(await read('lockerflow_lockers_free')).toEqual([{ value: 7, attributes: { pick_up_point: 'pup-1' } }])
  }
  expect(measured).toBe(1)
  gauge.set([])
  expect(await read('lockerflow_lockers_free')).toEqual([{ value: Number.NaN, attributes: { pick_up_point: 'pup-1' } }])
  measurement.stop()
  await stop()
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
