import { type Api, createApi } from '#contract/client'
import { CommandFailure, exitCodes } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { listShipments, openLocker } from './shipments.ts'
import { readTarget } from './target.ts'

const people = ['Robin', 'Kim', 'Alex'] as const
const parcel = {
  AllowLargerLockers: true,
  AllowOverflowLockers: true,
  Dimension: { width: 10, height: 10, length: 10 },
}

interface Place {
  readonly pupUid: string
  readonly users: Readonly<Record<string, string>>
}

interface Seeded {
  readonly caseNo: string
  readonly shipmentUid: string
  readonly text: string
  /** False if it existed. */
  readonly created: boolean
}

/** One shipment in each situation that an integrator meets, by its case number. */
const shipments = {
  'SEED-STOCK-1': { text: 'stock in its locker, to be issued', book: bookStock, isDroppedOff: true },
  'SEED-STOCK-2': { text: 'stock in its locker, to be lent', book: bookStock, isDroppedOff: true },
  'SEED-ISSUE': { text: 'waits for Robin to pick it up', book: bookIssue, isDroppedOff: true },
  'SEED-INTAKE': { text: 'waits for Kim to drop it off', book: bookIntake, isDroppedOff: false },
} as const

/** Creates accounts and shipments to work with. Existing ones stay, so the verb can run again. */
export async function run({ options, output, environment }: VerbCall): Promise<void> {
  const api = createApi(readTarget(environment))
  try {
    const pupUid = typeof options.pickUpPoint === 'string' ? options.pickUpPoint : await findPickUpPoint(api)
    const users = Object.fromEntries(
      await Promise.all(people.map(async name => [name, await createAccount(api, name, pupUid)])),
    )
    const rows: Seeded[] = []
    for (const [caseNo, { text, book, isDroppedOff }] of Object.entries(shipments)) {
      const [existing] = await listShipments(api, caseNo)
      const uid = existing?.shipmentUid ?? (await book(api, { pupUid, users }, caseNo))
      const [shipment] = await listShipments(api, uid)
      const isWaiting = shipment?.stateCode === 'ReadyForDropOff'
      if (shipment !== undefined && isWaiting && isDroppedOff) await openLocker(api, shipment, 'dropOff')
      rows.push({ caseNo, shipmentUid: uid, text, created: existing === undefined })
    }
    output.result({ pupUid, users, shipments: rows }, () => [
      ...Object.entries(users).map(([name, uid]) => `${name.padEnd(14)}${uid}  ${name.toLowerCase()}@example.org`),
      ...rows.map(({ caseNo, shipmentUid, text }) => `${caseNo.padEnd(14)}${shipmentUid}  ${text}`),
    ])
  } finally {
    await api.close()
  }
}

/** The pick up point with the most free lockers. */
async function findPickUpPoint(api: Api): Promise<string> {
  const { items } = await api.call('GetPickUpPoints', { includeDetails: true })
  const free = items.map(({ pupUid, lockers = [] }) => ({
    pupUid,
    free: lockers.reduce((sum, size) => sum + size.free, 0),
  }))
  const [most] = free.toSorted((one, other) => other.free - one.free)
  if (most !== undefined) return most.pupUid
  throw new CommandFailure('InvalidPupUid', 'The tenant has no pick up point.', {
    exitCode: exitCodes.failed,
    remedy: 'Add a pick up point to the topology: lockerflow topology.',
  })
}

async function createAccount(api: Api, firstName: string, pickUpPointUid: string): Promise<string> {
  const emailAddress = `${firstName.toLowerCase()}@example.org`
  const { userUid } = await api.call('CreateOrGetAccount', {
    emailAddress,
    firstName,
    lastName: 'Seed',
    pickUpPointUid,
  })
  return userUid ?? ''
}

async function bookStock(api: Api, { pupUid }: Place, caseNo: string): Promise<string> {
  return first(
    await api.call('CreateLocalShipmentAsStock', { ...parcel, PupUid: pupUid, Details: { ReferenceCaseNo: caseNo } }),
  )
}

async function bookIssue(api: Api, { pupUid, users }: Place, caseNo: string): Promise<string> {
  const request = { ...parcel, PupUid: pupUid, ToUserUid: users.Robin ?? '', Details: { ReferenceCaseNo: caseNo } }
  return first(await api.call('CreateLocalShipmentAsIssue', request))
}

async function bookIntake(api: Api, { pupUid, users }: Place, caseNo: string): Promise<string> {
  const request = { ...parcel, PupUid: pupUid, FromUserUid: users.Kim ?? '', Details: { ReferenceCaseNo: caseNo } }
  return first(await api.call('CreateLocalShipmentAsIntake', request))
}

function first({ shipmentUids }: { readonly shipmentUids: readonly string[] }): string {
  return shipmentUids[0] ?? ''
}
