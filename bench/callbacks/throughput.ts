import { openStore } from '../../service/store/index.ts'
import type { Topology } from '../../service/topology/index.ts'
import type { BookingStore } from '../bookings/bookings.ts'
import { type Credentials, call, startService } from '../bookings/runningService.ts'
import { type Child, startChild } from '../child.ts'
import { median, pairs } from '../pairs.ts'
import type { Row } from '../row.ts'
import { drained, fillOutbox } from './backlog.ts'
import type { BareSenderJob } from './bareSender.ts'
import type { Manner, Received, ReceiverJob } from './receiver.ts'

/** The receivers of the tenants, and the deliveries per second that the quick ones together must get. */
export interface Receivers {
  readonly what: string
  readonly manners: readonly Manner[]
  readonly bar: number
}

export const oneReceiver: Receivers = { what: 'to one quick receiver', manners: ['quick'], bar: 1_000 }
export const tenReceivers: Receivers = {
  what: 'to ten tenants, of which one hangs and one refuses',
  manners: ['hanging', 'refusing', ...Array<Manner>(8).fill('quick')],
  bar: 500,
}

export interface ThroughputOptions {
  readonly rounds: number
  /** Callbacks in the outbox when the deliveries begin. */
  readonly messages: number
}

/** Deliveries per second from a full outbox, beside a sender without a store. */
export async function benchDeliveries(
  store: BookingStore,
  { what, manners, bar }: Receivers,
  { rounds, messages }: ThroughputOptions,
): Promise<Row> {
  const bare = startChild<BareSenderJob, number>(new URL('./bareSender.ts', import.meta.url))
  async function alone(): Promise<number> {
    const receiver = startReceivers()
    const { urls } = await receiver.run({ open: ['quick'] })
    const perSecond = await bare.run({ url: urls[0] ?? '', messages })
    await receiver.stop()
    return perSecond
  }
  const { ours, baseline, ratio } = await pairs(
    rounds,
    async () => (await deliver(store, manners, messages)).perSecond,
    alone,
  )
  await bare.stop()
  return {
    what: `deliveries ${what}, ${store.name}, against a bare sender to one receiver`,
    unit: '/s',
    ours: median(ours),
    baseline: median(baseline),
    ratio,
    bar: `at least ${bar} /s`,
    met: median(ours) >= bar,
  }
}

export function startReceivers(): Child<ReceiverJob, Received> {
  return startChild<ReceiverJob, Received>(new URL('./receiver.ts', import.meta.url))
}

export interface Delivered {
  readonly perSecond: number
  /** Deliveries in a second of the service's processor time; undefined if the system has no /proc. */
  readonly perProcessorSecond: number | undefined
}

/** Delivers a full outbox to receivers, and counts what the quick ones got. */
export async function deliver(store: BookingStore, manners: readonly Manner[], messages: number): Promise<Delivered> {
  const place = await store.make()
  const receivers = startReceivers()
  const { urls } = await receivers.run({ open: manners })
  const tenants = manners.map((_, at) => `tenant-${at}`)
  const service = await startService(place.databaseUrl, topologyOf(tenants))
  for (const [at, tenant] of tenants.entries())
    await call(service, 'ConfigureCallback', { url: urls[at], authType: 'HMAC' }, credentialsOf(tenant))
  const database = await openStore(place.databaseUrl)
  const before = service.seconds()
  const rows = await database.selectFrom('tenants').select(['tenant_id', 'callback_url']).execute()
  await fillOutbox(
    database,
    rows.map(({ tenant_id }) => tenant_id),
    Math.ceil(messages / manners.length),
  )
  const quick = rows.filter(({ callback_url }) => manners[urls.indexOf(callback_url ?? '')] === 'quick')
  await drained(
    database,
    quick.map(({ tenant_id }) => tenant_id),
  )
  const { count, seconds } = await receivers.run({ read: true })
  const after = service.seconds()
  await database.destroy()
  await service.stop()
  await receivers.stop()
  await place.remove()
  const used = before === undefined || after === undefined ? undefined : after - before
  return { perSecond: count / seconds, perProcessorSecond: used === undefined ? undefined : count / used }
}

function credentialsOf(tenant: string): Credentials {
  return { clientId: tenant, clientSecret: `${tenant}-secret` }
}

function topologyOf(tenants: readonly string[]): Topology {
  return {
    tenants: tenants.map(name => ({
      name,
      dispatcher: { userName: name, emailAddress: `${name}@bench.example`, firstName: 'Ben', lastName: 'Bench' },
      clients: [credentialsOf(name)],
    })),
    pickUpPoints: [
      {
        pupUid: 'pup',
        name: 'Point',
        timeZone: 'UTC',
        tenants: [...tenants],
        lockers: [{ names: '1-10', width: 40, height: 40, length: 60 }],
      },
    ],
  }
}
