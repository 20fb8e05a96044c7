import type { Settings } from '#service'
import { type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { quick } from '../../support/service/callbacks.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'
import { startModel } from '../model/start.ts'
import { tenantNames, topology } from '../places.ts'
import type { TestedStore } from '../stores.ts'
import { Names } from './names.ts'

const year = 365 * 86_400
const start = Date.UTC(2026, 0, 5, 8)

/** Services on one store, a callback receiver for each tenant, and a clock that only `pass` moves. */
export interface ModelSite {
  readonly services: readonly [TestService, ...TestService[]]
  readonly receivers: ReadonlyMap<string, Receiver>
  readonly names: Names
  /** Milliseconds since 1970. */
  now(): number
  pass(milliseconds: number): void
  stop(): Promise<void>
}

export async function startModelSite(store: TestedStore, count = 1): Promise<ModelSite> {
  let now = start
  const { databaseUrl, remove } = await store.open()
  const settings = { databaseUrl, topology, tokenLifetime: 10 * year, delivery: quick, clock: () => now }
  const services: TestService[] = []
  // In sequence, because the first service creates the tables.
  for (let index = 0; index < count; index++)
    services.push(await startTestService(settings satisfies Partial<Settings>))
  const [first, ...others] = services
  if (first === undefined) throw new Error('A site must have at least one service.')

  const names = new Names()
  const receivers = new Map<string, Receiver>()
  for (const tenant of tenantNames) {
    const receiver = await startReceiver()
    receivers.set(tenant, receiver)
    names.bind(`receiver of ${tenant}`, receiver.url)
  }
  const tenants = await first.store.selectFrom('tenants').select(['tenant_id', 'dispatcher_user_uid']).execute()
  const accounts = await first.store.selectFrom('accounts').select(['user_uid', 'mail_code']).execute()
  const model = startModel(now)
  for (const { tenant_id, dispatcher_user_uid } of tenants) {
    const dispatcher = model.accounts.find(({ name }) => name === model.tenants[tenant_id]?.dispatcher)
    const mailCode = accounts.find(({ user_uid }) => user_uid === dispatcher_user_uid)?.mail_code ?? ''
    names.bind(dispatcher?.name ?? '', dispatcher_user_uid)
    names.bind(dispatcher?.mailCode ?? '', mailCode)
  }

  return {
    services: [first, ...others],
    receivers,
    names,
    now: () => now,
    pass(milliseconds) {
      now += milliseconds
    },
    async stop() {
      for (const service of services) await service.stop()
      for (const receiver of receivers.values()) await receiver.stop()
      await remove()
    },
  }
}
