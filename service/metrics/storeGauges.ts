import { doorStates } from '#contract'
import { createGauge, type Meter } from '#platform/metrics'
import { readLateness } from '../audit/index.ts'
import { countDoorStates } from '../hardware/index.ts'
import type { Store } from '../store/index.ts'
import { readArchiveLateness } from './archive.ts'
import { readCallbacks, readLockers } from './gauges.ts'

/** Creates the gauges that are read from the store. Returns what measures them. */
export function createStoreGauges(meter: Meter, store: Store): () => Promise<void> {
  const pending = createGauge(
    meter,
    'lockerflow_callbacks_pending',
    'Undelivered callbacks of all tenants, without those that were given up. 10000 means that or more.',
  )
  const givenUp = createGauge(
    meter,
    'lockerflow_callbacks_given_up',
    'Callbacks that were given up and wait for a command. 10000 means that or more.',
  )
  const oldest = createGauge(
    meter,
    'lockerflow_callbacks_oldest_seconds',
    'Age of the oldest undelivered callback that is the first of its shipment, without tenants that are disabled. For a tenant with more than 10000 callbacks, only those that are sent next count.',
    's',
  )
  const free = createGauge<'pick_up_point'>(
    meter,
    'lockerflow_lockers_free',
    'Lockers that can be booked: they have no booking, are not retired, and neither they nor their pick up point are out of service.',
  )
  const lockers = createGauge<'pick_up_point'>(meter, 'lockerflow_lockers', 'All lockers except the retired ones.')
  const doors = createGauge<'state'>(meter, 'lockerflow_doors', 'Doors by the last state that their adapter reported.')
  const decisionsLate = createGauge(
    meter,
    'lockerflow_decisions_late_seconds',
    'How long a pass of `audit collect --every` has been due, for the tenant with the longest delay. 0 if no pass is due, or no tenant has such a process.',
    's',
  )
  const archiveLate = createGauge(
    meter,
    'lockerflow_archive_late_seconds',
    'Time since the archive of PostgreSQL took its last segment of the log, while a segment waits or its last attempt failed. Otherwise 0.',
    's',
  )
  return async () => {
    const callbacks = await readCallbacks(store)
    pending.set(callbacks.pending)
    givenUp.set(callbacks.givenUp)
    oldest.set(callbacks.oldestMs / 1_000)
    const points = await readLockers(store)
    free.set(points.map(point => ({ value: point.free, labels: { pick_up_point: point.pupUid } })))
    lockers.set(points.map(point => ({ value: point.all, labels: { pick_up_point: point.pupUid } })))
    const states = await countDoorStates(store)
    doors.set(doorStates.map(state => ({ value: states.get(state) ?? 0, labels: { state } })))
    decisionsLate.set((await readLateness(store)) / 1_000)
    archiveLate.set((await readArchiveLateness(store)) ?? [])
  }
}
