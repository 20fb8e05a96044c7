import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationName, operations } from '#contract'
import {
  asks,
  type Field,
  fields,
  isThing,
  type Owned,
  own,
  type Things,
  withValue,
} from '../../support/service/foreignIdentifiers.ts'
import type { ServiceResponse } from '../../support/service/testService.ts'
import { booking } from '../../support/service/topology.ts'
import { csv, upload } from '../../support/service/uploads.ts'
import { createWorld } from '../../support/world/createWorld.ts'
import type { ServiceWorld } from '../../support/world/serviceWorld.ts'

let world: ServiceWorld
let owned: Owned
/** The data of globex before the first request. */
let before: object

beforeAll(async () => {
  world = await createWorld()
  owned = await own(world)
  before = await ofGlobex()
})

afterAll(() => world.stop())

interface Row extends Omit<Field, 'kind'> {
  readonly thing: keyof Things
  /** As a person would say it. */
  readonly kind: string
  /** The owner of the other things in the request. */
  readonly others: 'mine' | 'foreign'
  /** Which of the asks of the operation. */
  readonly way: number
}

const rows: Row[] = fields.flatMap(({ operation, path, kind: thing }) => {
  if (!isThing(thing)) return []
  const ways = asks[operation]({} as Things).map((_, way) => way)
  const kind = `${thing} as ${path.join('.')}`
  return ways.flatMap(way =>
    (['mine', 'foreign'] as const).map(others => ({ operation, path, thing, kind, others, way })),
  )
})

test('every field of every request is classified', () => {
  expect(fields.filter(({ kind }) => kind === undefined)).toEqual([])
})

test('every identifier of every operation is tested', () => {
  const asked = new Set(rows.map(({ operation, path }) => `${operation} ${path.join('.')}`))
  const identifying = fields
    .filter(({ kind }) => isThing(kind))
    .map(({ operation, path }) => `${operation} ${path.join('.')}`)
  expect([...asked]).toEqual(identifying)
  expect(identifying.length).toBeGreaterThan(50)
})

describe('a foreign identifier gets the same response as an unknown one (SPEC-1)', () => {
  test.each(rows)('$operation with a $kind', async row => {
    const one = await world.service.call(row.operation, askOf(row, owned.foreign))
    await forgetWrongCodes()
    const other = await world.service.call(row.operation, askOf(row, owned.unknown))
    await forgetWrongCodes()
    expect(shown(one)).toEqual(shown(other))
    // Otherwise it would not have come to the identifier.
    expect(one.body.error).not.toBe('InvalidRequest')
  })

  const creating = Object.values(operations).filter(({ effect }) => effect === 'create')
  test.each(creating)('$name with the Idempotency-Key of another tenant', async ({ name }) => {
    // Refused for both tenants, so that nothing is left of it.
    const [ask = {}] = asks[name as OperationName](owned.unknown)
    const body = { ...ask, PupUid: 'nowhere', pickUpPointUid: 'nowhere' }
    const send = (key: string, client: string) =>
      world.service.call(name as OperationName, body, { client, headers: { 'idempotency-key': `${name} ${key}` } })
    expect((await send('of globex', 'globex')).body.success).toBe(false)
    expect(shown(await send('of globex', 'acme'))).toEqual(shown(await send('of nobody', 'acme')))
  })

  test('UploadAccountSuggestions with a pick up point in the file', async () => {
    const send = async (PickUpPoint: string) => {
      const file = csv([{ EmailAddress: 'c@home.example', PickUpPoint }])
      const { text, status } = await upload(world.service, 'people.csv', file)
      return { status, text: text.replaceAll(PickUpPoint, '…').replace(/"dateTime":"[^"]*"/, '') }
    }
    // The first of them has something to replace.
    await send('nowhere')
    const unknown = await send('nowhere')
    expect(unknown.text).toContain('"errorCount":1')
    expect(await send('harbour')).toEqual(unknown)
    expect(await send('Harbour')).toEqual(unknown)
  })

  test('and nothing has changed', async () => {
    expect(await ofGlobex()).toEqual(before)
  })
})

const parties = fields
  .filter(({ kind }) => kind === 'party')
  .flatMap(field => asks[field.operation]({} as Things).map((_, way) => ({ ...field, way })))

describe('a receiver may be an account of any tenant', () => {
  test.each(parties)('$operation, $path', async ({ operation, path, way }) => {
    const send = async (userUid: string) => {
      // One of its own each time, since stock can be issued once.
      const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' })
      const [shipment = ''] = shipmentUids
      const ask = asks[operation]({ ...owned.mine, shipment })[way] ?? {}
      const { body } = await world.service.call(operation, withValue(ask, path, userUid))
      await cancel([shipment, ...((body.shipmentUids ?? [body.shipmentUid ?? '']) as string[])])
      return body.error
    }
    const own = await send(owned.mine.account)
    expect(await send(owned.foreign.account)).toBe(own)
    const ignored = 'removeReceiver' in (asks[operation](owned.mine)[way] ?? {})
    expect(await send(owned.unknown.account)).toBe(ignored ? own : 'InvalidUserUid')
  })
})

test('a receiver may be an account of any tenant', async () => {
  const ask = { ...booking, ToUserUid: owned.foreign.account }
  expect(await world.call('CreateLocalShipmentAsIssue', ask)).toMatchObject({ success: true })
})

function askOf({ operation, path, others, way, thing }: Row, whose: Things): object {
  const ask = asks[operation](owned.mine)[way] ?? {}
  const among = others === 'mine' ? [] : fields.filter(field => field.operation === operation)
  const surrounded = among.reduce(
    (made, field) => (isThing(field.kind) ? withValue(made, field.path, owned.foreign[field.kind]) : made),
    ask,
  )
  return withValue(surrounded, path, whose[thing])
}

/** All that a caller sees of a response, without the parts that differ each time. */
function shown({ status, headers, text }: ServiceResponse): object {
  const { date, 'x-request-id': requestId, ...others } = Object.fromEntries(headers)
  return { status, text, headers: others }
}

/** So that two wrong codes at one locker are both the first. */
function forgetWrongCodes() {
  return world.service.store.deleteFrom('pin_attempts').execute()
}

/** The last first, since others wait for it; those that are none are refused. */
async function cancel(shipmentUids: readonly string[]): Promise<void> {
  for (const shipmentUid of shipmentUids.toReversed()) await world.service.call('CancelShipment', { shipmentUid })
}

async function ofGlobex(): Promise<object> {
  const { store } = world.service
  return {
    shipments: await store.selectFrom('shipments').selectAll().where('tenant_id', '=', 'globex').execute(),
    objects: await store
      .selectFrom('shipment_objects')
      .selectAll()
      .where('shipment_uid', '=', owned.foreign.shipment)
      .execute(),
    accounts: await store.selectFrom('accounts').selectAll().where('user_uid', '=', owned.foreign.account).execute(),
    uploads: await store.selectFrom('suggestion_uploads').selectAll().where('tenant_id', '=', 'globex').execute(),
    tenant: await store.selectFrom('tenants').selectAll().where('tenant_id', '=', 'globex').execute(),
    outbox: await store.selectFrom('outbox').selectAll().where('tenant_id', '=', 'globex').execute(),
  }
}
