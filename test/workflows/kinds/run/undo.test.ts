import { randomUUID } from 'node:crypto'
import { NativeConnection, Worker } from '@temporalio/worker'
import { afterAll, expect, inject, test } from 'vitest'
import { type Json, outputLimits } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { closeWorlds, openSimulation } from '#testing/simulator'
import { useWorkshop } from '../../../support/flows/useWorkshop.ts'
import { assembly } from '../../../support/flows/workshop.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const hour = 3_600_000
const taskQueue = `workbench-${randomUUID()}`
const [label, assemble] = assembly.steps
const pause = { name: 'pause', summary: 'The device cools down.', sleep: '7d' } as const

/** Its device is assembled, and taken apart, by a worker of another team. */
const workbench: FlowDeclaration = {
  ...assembly,
  name: 'workbench',
  steps: [label, { ...assemble, taskQueue, undo: 'takeApart' }, pause],
}

/** Its label is void only when the printer is there. */
const printing: FlowDeclaration = { ...assembly, name: 'printing', steps: [label, pause] }

const runs = { printLabel: { returns: { labelNo: 'L-1' } }, voidLabel: { returns: {} } }

afterAll(closeWorlds)

const world = useWorld()
const { startFlow, handleOf, resultOf, voided } = useWorkshop(world, { flows: [workbench] })

test('an undo runs on the task queue of its step, before that of an earlier step', async () => {
  const { address, namespace } = inject('temporal')
  const connection = await NativeConnection.connect({ address })
  const asked: { readonly undo: Json; readonly voided: number }[] = []
  const activities = {
    assemble: async () => ({}),
    takeApart: async (undo: Json) => {
      asked.push({ undo, voided: voided.length })
    },
  }
  try {
    const worker = await Worker.create({ connection, namespace, taskQueue, activities })
    await worker.runUntil(async () => {
      const caseNo = await startFlow('workbench', { booked: 0, request: {} })
      await world.statusWhen(caseNo, ({ step }) => step === 'pause')
      await handleOf(caseNo).cancel()
      expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver: [] })
    })
  } finally {
    await connection.close()
  }
  expect(asked).toEqual([{ undo: { input: { labelNo: 'L-1' }, output: {}, certain: true }, voided: 0 }])
  expect(voided).toHaveLength(1)
})

test('an undo that fails for a day is left over for a person', async () => {
  const simulation = await openSimulation({ flows: { printing }, runs })
  try {
    await simulation.start({ flow: 'printing', request: {} })
    await simulation.apply({ fail: { run: 'voidLabel', fault: 'unavailable' } })
    await simulation.apply({ cancelInWebUi: true })
    await simulation.advance(23 * hour)
    expect(simulation.hasEnded).toBe(false)
    await simulation.advance(hour)
    const reason = 'it could not be undone: Unavailable'
    expect(simulation.run()).toMatchObject({
      outcome: 'cancelled',
      leftOver: [{ step: 'label', shipmentUid: null, reason }],
    })
  } finally {
    await simulation.close()
  }
})

test('an attempt of an undo that is lost with its worker is repeated after an hour', async () => {
  const printingForDays: FlowDeclaration = {
    ...printing,
    steps: [{ ...label, timeout: '5d', heartbeat: '10s' }, pause],
  }
  const voids = { ...runs, voidLabel: { returns: {}, takes: '1m' } } as const
  const simulation = await openSimulation({ flows: { printing: printingForDays }, runs: voids })
  try {
    await simulation.start({ flow: 'printing', request: {} })
    await simulation.apply({ cancelInWebUi: true })
    await simulation.apply({ loseWorker: true })
    await simulation.advance(2 * hour)
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [] })
  } finally {
    await simulation.close()
  }
})

test('a step whose output is too large is undone as uncertain', async () => {
  const large = { returns: { labelNo: 'L'.repeat(outputLimits.step) } }
  const simulation = await openSimulation({ flows: { printing }, runs: { ...runs, printLabel: large } })
  try {
    await simulation.start({ flow: 'printing', request: {} })
    const { code, timeLine } = simulation.run()
    expect(code).toBe('OutputTooLarge')
    const undo = timeLine.find(entry => entry.kind === 'activityScheduled' && entry.activity === 'voidLabel')
    expect(undo).toMatchObject({ args: [{ output: null, certain: false }, {}] })
  } finally {
    await simulation.close()
  }
})
