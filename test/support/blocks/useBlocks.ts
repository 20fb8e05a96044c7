import { beforeAll } from 'vitest'
import { type AnswerUpdate, type FlowDeclaration, type FlowResult, type FlowShipment, toWorkflowId } from '#flows'
import { answer } from '#flows/messages'
import type { World } from '../world/flowWorld.ts'
import { lockerFlows } from './lockerFlows.ts'

export interface Part {
  readonly sku: string
  readonly width: number
}

/** Parts and so on, with the widths 1, 2 and so on. */
export function partsOf(count: number): Part[] {
  return Array.from({ length: count }, (_, index) => ({ sku: `A-${index + 1}`, width: index + 1 }))
}

/** The worker of a world runs the flows of blocks, and the test acts for their people. */
export function useBlocks(world: World) {
  const restart = () => world.restartWorker({ flows: lockerFlows })
  beforeAll(restart)

  function handleOf(caseNo: string) {
    return world.client.workflow.getHandle(toWorkflowId(caseNo))
  }

  /** @param booked the number of bookings that it makes */
  async function start({ name }: FlowDeclaration, booked: number, parts?: readonly Part[]): Promise<string> {
    const caseNo = world.newCase(booked)
    const request = { PupUid: 'pup-1', ToUserUid: world.userUid, ...(parts && { parts }) }
    const options = { workflowId: toWorkflowId(caseNo), taskQueue: world.taskQueue }
    await world.client.workflow.start(name, { ...options, args: [{ caseNo, request }] })
    return caseNo
  }

  /** Waits until a step is at work or waits, by the name that it has in its item or round. */
  async function untilAt(caseNo: string, step: string): Promise<void> {
    await world.statusWhen(
      caseNo,
      status => status.step === step || (status.lines ?? []).some(line => line.step === step),
    )
  }

  /** The shipment of a role, once the flow knows it. */
  async function shipmentOf(caseNo: string, role: string): Promise<FlowShipment> {
    const isOf = (shipment: FlowShipment) => shipment.role === role
    const { shipments } = await world.statusWhen(caseNo, status => status.shipments.some(isOf))
    return shipments.find(isOf) as FlowShipment
  }

  /** The item of a role is placed and collected, once the flow has booked. */
  async function useLocker(caseNo: string, role: string): Promise<void> {
    const shipment = await shipmentOf(caseNo, role)
    await world.open(shipment, 'deliveryCode')
    await world.open(shipment, 'pickUpCode')
  }

  async function resultOf(caseNo: string): Promise<FlowResult> {
    return (await handleOf(caseNo).result()) as FlowResult
  }

  function give(caseNo: string, update: AnswerUpdate) {
    return handleOf(caseNo).executeUpdate(answer, { args: [update] })
  }

  return { restart, handleOf, start, untilAt, shipmentOf, useLocker, resultOf, give }
}
