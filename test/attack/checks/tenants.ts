import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { HttpResponse } from '../http.ts'
import { type Belongings, type OperationName, operationNames, requests } from '../operations.ts'
import { expectSuccess, listShipments, readVictim, type Scene } from '../scene.ts'

const markedKinds = ['shipment', 'object', 'account', 'pickUpPoint', 'code', 'caseNumber'] as const

/** Operations that name an identifier, with the belongings that each request contains. */
const named = operationNames
  .filter(name => !['ConfigureCallback', 'GetAccountSuggestions', 'CreateAccount', 'CreateOrGetAccount'].includes(name))
  .flatMap(name => identifiersOf(name).map(kind => [name, kind] as const))

/** Any account may send and receive, so a foreign account in these fields is no attack. */
const party: readonly OperationName[] = [
  ...operationNames.filter(name => name.startsWith('Create')),
  'SetShipmentReceiver',
]

/** The belongings whose value appears in the request of an operation. */
function identifiersOf(name: OperationName): (keyof Belongings)[] {
  const marks = Object.fromEntries(markedKinds.map(kind => [kind, `<${kind}>`])) as unknown as Belongings
  const text = JSON.stringify(requests[name](marks))
  const kinds = markedKinds.filter(kind => text.includes(`<${kind}>`))
  return kinds.filter(kind => kind !== 'caseNumber' || name.startsWith('Get'))
}

/** Registers the checks on things of another tenant (specification, What the service does). */
export function tenantChecks(scene: () => Scene): void {
  describe('another tenant’s identifier is treated as an unknown one', () => {
    const attempts = named.filter(([name, kind]) => !(kind === 'account' && party.includes(name)))
    test.each(attempts)('%s, %s', async (name, kind) => {
      const { attacker, own, foreign, unknown } = scene()
      const before = await readVictim(scene())
      const first = await attacker.call(name, requests[name]({ ...own, [kind]: foreign[kind] }))
      const other = await attacker.call(name, requests[name]({ ...own, [kind]: unknown[kind] || '000000' }))
      deepEqual(comparable(first), comparable(other))
      equal(await readVictim(scene()), before)
    })

    test.each([
      ['CreateLocalShipment', 'SwapsShipmentUid', 'shipment'],
      ['CreateLocalShipment', 'LockerUid', 'locker'],
      ['CreateLocalShipmentAsIssue', 'LockerUid', 'locker'],
      ['CreateCollectOnlyShipment', 'LockerUid', 'locker'],
      ['GetShipments', 'userUid', 'account'],
      ['GetShipments', 'shipmentUid', 'shipment'],
      ['GetShipments', 'bookedPupUid', 'pickUpPoint'],
      ['GetAccount', 'userName', 'userName'],
    ] as const)('%s with %s', async (name, field, kind) => {
      const { attacker, own, foreign, unknown } = scene()
      const base: Record<string, unknown> = name === 'GetAccount' ? {} : { ...requests[name](own) }
      const first = await attacker.call(name, { ...base, [field]: foreign[kind] })
      const other = await attacker.call(name, { ...base, [field]: unknown[kind] })
      deepEqual(comparable(first), comparable(other))
    })
  })

  test('no list contains a thing of another tenant', async () => {
    const { attacker, victim } = scene()
    const theirs = new Set((await listShipments(victim)).map(item => (item as { shipmentUid: string }).shipmentUid))
    const mine = (await listShipments(attacker)) as { shipmentUid: string }[]
    equal(mine.length > 0 && theirs.size > 0, true)
    deepEqual(
      mine.filter(({ shipmentUid }) => theirs.has(shipmentUid)),
      [],
    )
    const { items } = expectSuccess(await attacker.call('GetPickUpPoints', { pageNo: 1, pageSize: 100 }))
    deepEqual(
      (items as { pupUid: string }[]).filter(({ pupUid }) => pupUid === scene().foreign.pickUpPoint),
      [],
    )
  })

  test('an account of another tenant is found by its e-mail address only, without its fields', async () => {
    const { attacker, foreign } = scene()
    const found = expectSuccess(await attacker.call('GetAccount', { emailAddress: foreign.emailAddress }))
    const { userUid, isExisting, canManageUser, success, error, message, ...rest } = found
    deepEqual([userUid, isExisting, canManageUser], [foreign.account, true, false])
    deepEqual(
      Object.entries(rest).filter(([, value]) => value !== null),
      [],
    )
  })

  test.each(['CreateAccount', 'CreateOrGetAccount'] as const)('%s does not take over an account', async name => {
    const { attacker, own, foreign } = scene()
    const before = await readVictim(scene())
    const person = { firstName: 'Eve', lastName: 'Mallory', pickUpPointUid: own.pickUpPoint }
    const attempts = [
      { ...person, emailAddress: foreign.emailAddress },
      { ...person, emailAddress: foreign.emailAddress, userName: foreign.userName },
      { ...person, emailAddress: 'eve@mail.example', userName: foreign.userName },
      { ...person, emailAddress: foreign.emailAddress, mutationConfig: { canRemoveManually: true } },
    ]
    for (const attempt of attempts) {
      const { json } = await attacker.call(name, attempt)
      equal(json.canManageUser ?? false, false, JSON.stringify(json))
    }
    equal(await readVictim(scene()), before)
  })
}

/** A response without what differs between any two requests: the echoed identifiers of a list. */
function comparable({ status, json }: HttpResponse): unknown {
  return { status, ...json }
}
