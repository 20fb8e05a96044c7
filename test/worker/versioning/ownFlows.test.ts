import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readCalendars } from '#activities/calendars'
import { createFlowClient } from '#client'
import { loadFlows } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import * as activities from '../../../examples/repair-shop/activities.ts'
import { repairShop } from '../../../examples/repair-shop/flows/repairShop.ts'
import { repairUntil, startRepair } from '../../support/examples/repairs.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { bundle } from '../../support/world/bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'lockerflow-own-'))
const declarations = join(import.meta.dirname, '../../support/flows/parcelReturn')
const example = join(declarations, 'parcelReturn.yaml')
const calendars = readCalendars(join(declarations, 'calendars.yaml'))

/** Its windows are short, so it is pinned. */
const deposit = {
  name: 'deposit',
  summary: 'An item is put into a locker.',
  input: { PupUid: 'uid', size: { fields: { width: 'integer', height: 'integer', length: 'integer' } } },
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsStock',
      request: {
        PupUid: { from: 'input.PupUid' },
        Dimension: { from: 'input.size' },
        AllowLargerLockers: true,
        AllowOverflowLockers: false,
      },
    },
    {
      name: 'put',
      summary: 'The item is put in.',
      wait: { stock: 'WaitForReceiver' },
      window: '1d',
      onTimeout: 'cancel',
    },
  ],
} as const satisfies FlowDeclaration

const answer = { step: 'check', answer: 'refund', fields: { cents: 2500 } }

let builds: Builds
let before: FlowDeclaration
let after: FlowDeclaration
/** Cases that the first build started. */
const cases = { parcel: '', repair: '', deposit: '' }

async function load(file: string): Promise<FlowDeclaration> {
  const { flows, faults } = await loadFlows([file])
  expect(faults).toEqual([])
  if (flows.parcelReturn === undefined) throw new Error(`${file} must declare parcelReturn`)
  return flows.parcelReturn
}

/** A client that knows the declaration from YAML: without literal types. */
const parcels = () => createFlowClient(builds.world.client, { taskQueue: builds.world.taskQueue, flows: [before] })

async function startParcel(): Promise<string> {
  const { world } = builds
  const caseNo = world.newCase()
  const courierAt = new Date().toISOString()
  const request = { PupUid: 'pup-1', customerUid: world.userUid, size: parcel.Dimension, courierAt }
  const booking = await parcels().startAndWaitForBooking('parcelReturn', { caseNo, request })
  expect(booking).toMatchObject({ kind: 'Booked' })
  return caseNo
}

/** From the parcel's way into the locker to its refund. */
async function refund(caseNo: string): Promise<unknown> {
  const { world } = builds
  for (const [step, code] of [
    ['bringBack', 'deliveryCode'],
    ['fetch', 'pickUpCode'],
  ] as const) {
    const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === step)
    for (const shipment of shipments) await world.open(shipment, code)
  }
  await world.statusWhen(caseNo, ({ stage }) => stage === 'check')
  await parcels().answer(caseNo, answer)
  return world.flows.result(caseNo)
}

beforeAll(async () => {
  process.env.LABEL_FOLDER = folder
  before = await load(example)
  const text = readFileSync(example, 'utf8')
  const changed = text.replace('why: check.why }', 'why: check.why, paid: check.cents }')
  expect(changed).not.toBe(text)
  writeFileSync(join(folder, 'parcelReturn.yaml'), changed)
  after = await load(join(folder, 'parcelReturn.yaml'))
  builds = await createBuilds()
  await builds.start('first', await bundle(), { flows: [before, repairShop, deposit], activities, calendars })
  await vi.waitFor(async () => {
    expect((await builds.promote('first', await bundle())).objections).toEqual([])
  })
})

afterAll(async () => {
  await builds.stop()
  delete process.env.LABEL_FOLDER
  rmSync(folder, { recursive: true })
})

// One story: each test goes on from the one before.
describe('own flows in two promoted builds', () => {
  test('begin on the first build', async () => {
    const { world } = builds
    cases.parcel = await startParcel()
    cases.repair = await startRepair(world)
    await repairUntil(world, cases.repair, 'quote')
    cases.deposit = world.newCase()
    const request = { PupUid: 'pup-1', size: parcel.Dimension }
    const deposits = createFlowClient(world.client, { taskQueue: world.taskQueue, flows: [deposit] })
    await deposits.startAndWaitForBooking('deposit', { caseNo: cases.deposit, request })
    expect(await builds.whereIs(cases.parcel)).toEqual({ buildId: 'first', pinned: false })
    expect(await builds.whereIs(cases.repair)).toEqual({ buildId: 'first', pinned: false })
    expect(await builds.whereIs(cases.deposit)).toEqual({ buildId: 'first', pinned: true })
    expect(readdirSync(folder).filter(file => file.startsWith('L-'))).toHaveLength(1)
  })

  test('replay with the second one, which is promoted with a changed declaration', async () => {
    const { deploymentName } = builds
    await builds.start('second', await bundle(), { flows: [after, repairShop, deposit], activities, calendars })
    await vi.waitFor(async () => {
      const checked = await builds.promote('second', await bundle(), { onlyCheck: true })
      expect(checked).toMatchObject({ objections: [], moving: 2, replayed: 2 })
      expect(checked.staying).toEqual(new Map([[`${deploymentName}:first`, 1]]))
    })
    expect((await builds.promote('second', await bundle())).objections).toEqual([])
  })

  test('move and end by the plan that they have; new ones follow the changed declaration', async () => {
    const result = { outcome: 'completed', answer: 'refund', cents: 2500 }
    const ended = await refund(cases.parcel)
    expect(ended).toMatchObject({ result })
    expect(ended).not.toHaveProperty('result.paid')
    const fresh = await startParcel()
    expect(await refund(fresh)).toMatchObject({ result: { ...result, paid: 2500 } })
    expect(await builds.whereIs(cases.parcel)).toEqual({ buildId: 'second', pinned: false })
    expect(await builds.whereIs(fresh)).toEqual({ buildId: 'second', pinned: false })
  })

  test('are undone on the second build, also what an activity of the first one did', async () => {
    const reason = 'The device is in the shop.'
    expect(await builds.world.flows.cancel(cases.repair, 'over')).toMatchObject({
      kind: 'Cancelled',
      leftOver: [{ step: 'fetch', reason }],
    })
    expect(readdirSync(folder).filter(file => file.startsWith('L-'))).toEqual([])
    expect(await builds.whereIs(cases.repair)).toEqual({ buildId: 'second', pinned: false })
  })

  test('end on the first build if they are pinned', async () => {
    const { world } = builds
    const { shipments } = await world.statusWhen(cases.deposit, ({ stage }) => stage === 'put')
    for (const shipment of shipments) await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(cases.deposit)).toMatchObject({ result: { outcome: 'completed' } })
    expect(await builds.whereIs(cases.deposit)).toEqual({ buildId: 'first', pinned: true })
  })
})
