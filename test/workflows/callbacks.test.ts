import { describe, expect, test } from 'vitest'
import type { ShipmentStatus } from '#flows'
import { receiveCallback } from '../../workflows/callbacks.ts'
import { createContext } from '../../workflows/context.ts'
import type { RunInfo, Runtime } from '../../workflows/runtime.ts'

const input = { caseNo: 'case-1', request: {} }
const info = { workflowType: 'issue' } as RunInfo

/** A flow whose handlers need no runtime. */
const newFlow = () => createContext({} as Runtime, info, input)

const statusOf = (shipmentUid: string, stateCode = 'ReadyForPickup'): ShipmentStatus => ({
  shipmentUid,
  stateCode,
  stateStart: '',
})

describe('a flow that books keeps an early callback', () => {
  test('while many arrive about another shipment', () => {
    const flow = newFlow()
    receiveCallback(flow, statusOf('own'))
    for (let count = 0; count < 100; count++) receiveCallback(flow, statusOf('foreign', `state ${count}`))
    const kept = flow.bufferedCallbacks.map(({ stateCode }) => stateCode)
    expect(kept).toEqual(['ReadyForPickup', ...Array.from({ length: 19 }, (_, index) => `state ${index + 81}`)])
  })

  test('unless twenty younger ones are about other shipments', () => {
    const flow = newFlow()
    for (let count = 0; count <= 20; count++) receiveCallback(flow, statusOf(`shipment ${count}`))
    expect(flow.bufferedCallbacks.map(({ shipmentUid }) => shipmentUid)).toEqual(
      Array.from({ length: 20 }, (_, index) => `shipment ${index + 1}`),
    )
  })

  test('while messages without a shipment arrive', () => {
    const flow = newFlow()
    receiveCallback(flow, statusOf('own'))
    for (let count = 0; count < 100; count++) receiveCallback(flow, null as unknown as ShipmentStatus)
    expect(flow.bufferedCallbacks[0]).toEqual(statusOf('own'))
  })
})
