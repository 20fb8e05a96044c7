import { WorkflowUpdateFailedError } from '@temporalio/client'
import { afterEach, beforeAll } from 'vitest'
import { type AnswerUpdate, type FlowDeclaration, type FlowResult, type FlowShipment, toWorkflowId } from '#flows'
import { answer } from '#flows/messages'
import type { WorkerSettings } from '#worker'
import type { World } from '../world/flowWorld.ts'
import { requireRole } from './underway.ts'
import { workshop, workshopActivities } from './workshop.ts'

interface Options {
  /** Flows of the worker, besides the workshop. */
  readonly flows?: readonly FlowDeclaration[]
  readonly changes?: () => Partial<WorkerSettings>
}

/** The worker of a world runs the workshop, and the test acts for its people. */
export function useWorkshop(world: World, { flows = [], changes = () => ({}) }: Options = {}) {
  const { activities, printed, voided, state } = workshopActivities()
  const asUsual = { ...state }

  const restart = () => world.restartWorker({ flows: [workshop, ...flows], activities, ...changes() })
  beforeAll(restart)

  afterEach(() => {
    Object.assign(state, asUsual)
    printed.length = 0
    voided.length = 0
  })

  /** Starts a case. @param booked the number of bookings that it makes */
  async function start(booked: number, windows: Readonly<Record<string, string>> = {}): Promise<string> {
    const request = { pickUpPointUid: 'pup-1', customerUid: world.userUid }
    return startFlow('workshop', { booked, request, windows })
  }

  async function startFlow(
    flow: string,
    { booked, request, windows = {} }: { booked: number; request: object; windows?: Readonly<Record<string, string>> },
  ): Promise<string> {
    const caseNo = world.newCase(booked)
    const options = { workflowId: toWorkflowId(caseNo), taskQueue: world.taskQueue }
    await world.client.workflow.start(flow, { ...options, args: [{ caseNo, request, windows }] })
    return caseNo
  }

  async function bringIn(caseNo: string): Promise<FlowShipment> {
    const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'bringIn')
    const device = requireRole(shipments, 'device')
    await world.open(device, 'deliveryCode')
    await world.statusWhen(caseNo, ({ asks }) => asks !== null)
    return device
  }

  function handleOf(caseNo: string) {
    return world.client.workflow.getHandle(toWorkflowId(caseNo))
  }

  function give(caseNo: string, update: AnswerUpdate) {
    return handleOf(caseNo).executeUpdate(answer, { args: [update] })
  }

  async function resultOf(caseNo: string): Promise<FlowResult> {
    return (await handleOf(caseNo).result()) as FlowResult
  }

  async function putBack(caseNo: string): Promise<FlowResult> {
    const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'putBack')
    await world.open(requireRole(shipments, 'back'), 'deliveryCode')
    return resultOf(caseNo)
  }

  return { restart, printed, voided, state, start, startFlow, bringIn, handleOf, give, resultOf, putBack }
}

/** The code of an update's failure. */
export async function codeOf(updated: Promise<unknown>): Promise<string | null | undefined> {
  const error = await updated.then(() => undefined).catch(error => error)
  return error instanceof WorkflowUpdateFailedError ? (error.cause as { type?: string | null }).type : String(error)
}
