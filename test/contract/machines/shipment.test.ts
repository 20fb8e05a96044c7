import { describe, expect, test } from 'vitest'
import { shipmentMachine, shipmentTransitions } from '#contract/machines'
import { stateCodes } from '#contract/terms'
import { type Literal, readMachineSource } from '../../support/machines/source.ts'

/** `{ from: { event: targets } }`, with one target for each guard in its order. */
const transitions = {
  WaitForPriorShipment: {
    priorAdvanced: ['ReadyForPickup', 'ReadyForDropOff'],
    setReceiver: ['WaitForPriorShipment'],
    removeReceiver: ['WaitForPriorShipment'],
    issueFromStock: ['WaitForPriorShipment'],
    cancel: ['Cancelled'],
  },
  ReadyForDropOff: {
    dropOff: ['Completed', 'ReadyForPickup', 'WaitForReceiver'],
    setReceiver: ['ReadyForDropOff'],
    removeReceiver: ['ReadyForDropOff'],
    issueFromStock: ['ReadyForDropOff'],
    cancel: ['Cancelled'],
  },
  WaitForReceiver: { setReceiver: ['ReadyForPickup'], issueFromStock: ['ReadyForPickup'], cancel: ['Cancelled'] },
  ReadyForPickup: {
    pickUp: ['ReadyForPickup', 'Completed'],
    issueFromStock: ['ReadyForPickup'],
    cancel: ['Cancelled'],
  },
  Completed: {},
  Cancelled: {},
}

test('the machine has the states of the contract, in their order', () => {
  expect(Object.keys(shipmentMachine.states)).toEqual(stateCodes)
})

test.each(Object.entries(transitions))('the events of %s and their targets', (from, expected) => {
  const byEvent = Map.groupBy(
    shipmentTransitions().filter(transition => transition.from === from),
    ({ event }) => event,
  )
  const targets = [...byEvent].map(([event, rows]) => [event, rows.map(({ to }) => to)] as const)
  expect(Object.fromEntries(targets)).toEqual(expected)
})

test('the machine needs neither a clock nor an actor', () => {
  for (const state of Object.values(shipmentMachine.config.states ?? {})) {
    expect(Object.keys(state).filter(key => ['after', 'invoke', 'entry', 'exit', 'always'].includes(key))).toEqual([])
  }
})

/** Stately's editor takes the machine from its source, without running it. */
describe('the source that the editor reads', () => {
  const { guards, actions, config } = readMachineSource(
    new URL('../../../contract/machines/shipment.ts', import.meta.url),
  )

  test('is one literal, and the same as the configuration that runs', () => {
    expect(config).toEqual(JSON.parse(JSON.stringify(shipmentMachine.config)))
  })

  test('describes the machine, every state and every transition', () => {
    const described = [shipmentMachine.config, ...Object.values(shipmentMachine.config.states ?? {}), ...steps()]
    expect(described.length).toBeGreaterThan(stateCodes.length)
    for (const { description } of described) expect(description).toMatch(/^[A-Z].*\.$/)
  })

  test('names each guard and each action of its setup, and no other', () => {
    const used = (name: 'guard' | 'actions') =>
      [...new Set(steps().flatMap(step => (step[name] === undefined ? [] : [step[name]])))].sort()
    expect(used('guard')).toEqual([...guards].sort())
    expect(used('actions')).toEqual([...actions].sort())
  })

  function steps(): Record<string, Literal>[] {
    const states = Object.values((config as { states: Record<string, { on?: Record<string, Literal> }> }).states)
    return states.flatMap(({ on }) => Object.values(on ?? {}).flat()) as Record<string, Literal>[]
  }
})
