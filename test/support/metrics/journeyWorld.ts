import { randomUUID } from 'node:crypto'
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client'
import { msToTs } from '@temporalio/common'
import { inject } from 'vitest'
import { createFlowClient } from '#client'
import { createApi } from '#contract/client'
import type { FlowShipment } from '#flows'
import { converterOf } from '../codec/keys.ts'
import { statusWhenOf, type World } from '../world/flowWorld.ts'
import { apiSettings } from '../world/settings.ts'

/** The user of the world, whose fields must not appear anywhere. */
export const person = {
  emailAddress: 'adaline@private.example',
  firstName: 'Adaline',
  lastName: 'Lovelock',
  phoneNumber: '+31600000001',
}

export interface JourneyWorld {
  /** The part of a world that journeys use. */
  readonly world: World
  /** Access codes that were used. */
  readonly codes: Set<string>
  close(): Promise<void>
}

interface JourneyWorldOptions {
  /** The address of the service. */
  readonly baseUrl: string
  readonly taskQueue: string
  /** The key ring of the histories. */
  readonly codecKey: string
}

/** The longest time limit that Temporal allows. */
const workflowTaskTimeout = msToTs('2 minutes')

/** A workflow task that outlasts its time limit, as on a busy machine, runs again and counts its steps again. */
const longTasks: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, options: { ...input.options, workflowTaskTimeout } }),
  startUpdateWithStart: (input, next) =>
    next({ ...input, workflowStartOptions: { ...input.workflowStartOptions, workflowTaskTimeout } }),
}

/** Opens clients of running processes, and creates the user of their flows. */
export async function openJourneyWorld({ baseUrl, taskQueue, codecKey }: JourneyWorldOptions): Promise<JourneyWorld> {
  const api = createApi(apiSettings(baseUrl))
  const { address, namespace } = inject('temporal')
  const connection = await Connection.connect({ address })
  const interceptors = { workflow: [longTasks] }
  const client = new Client({ connection, namespace, interceptors, dataConverter: converterOf(codecKey) })
  const flows = createFlowClient(client, { taskQueue })
  const { userUid } = await api.call('CreateAccount', { ...person, pickUpPointUid: 'pup-1' })
  const codes = new Set<string>()

  async function open({ shipmentUid, pupUid, lockerName }: FlowShipment, code: 'deliveryCode' | 'pickUpCode') {
    const given = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
    const pinCode = given[code]
    if (pupUid === null || lockerName === null || pinCode === null) throw new Error(`${shipmentUid} has no ${code}`)
    codes.add(pinCode)
    await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })
  }

  const world = {
    api,
    flows,
    client,
    taskQueue,
    userUid,
    open,
    async openShipment(shipmentUid: string, code: 'deliveryCode' | 'pickUpCode') {
      const { items } = await api.call('GetShipments', { shipmentUid })
      for (const item of items) await open({ ...item, role: '' }, code)
    },
    newCase: () => `M-${randomUUID()}`,
    statusWhen: statusWhenOf(flows),
  } as unknown as World

  return {
    world,
    codes,
    async close() {
      await Promise.all([api.close(), connection.close()])
    },
  }
}
