import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { toWorkflowId } from '#flows'
import { eventually } from '../eventually.ts'
import type { Receiver } from '../servers/callbackReceiver.ts'
import { type FileServer, file } from '../servers/fileServer.ts'
import { csv } from '../service/uploads.ts'
import type { World } from '../world/flowWorld.ts'
import { book } from './booking.ts'
import { sweepCase, terminate } from './orphans.ts'

/** The person of the flows of accounts, whose fields must not appear in anything readable. */
export const otherPerson = {
  emailAddress: 'kimberly@private.example',
  firstName: 'Kimberly',
  lastName: 'Keepsake',
  phoneNumber: '+31600000002',
}

/**
 * Runs what has no journey: an account is created, suggestions are imported, a workflow waits for a booking as for an
 * operation of Nexus, and a sweep adopts the booking of a terminated flow. Returns the ids of the workflows.
 */
export async function runOtherFlows(world: World, files: FileServer): Promise<string[]> {
  const account = world.newCase(0)
  await world.flows.start('onboardAccount', { caseNo: account, request: { ...otherPerson, pickUpPointUid: 'pup-1' } })
  expect(await world.flows.result(account)).toMatchObject({ kind: 'Ended' })

  const { emailAddress: EmailAddress, firstName: FirstName } = otherPerson
  files.serve = file(csv([{ EmailAddress, FirstName }, { EmailAddress: 'none' }]))
  const imported = world.newCase(0)
  await world.flows.start('importAccountSuggestions', {
    caseNo: imported,
    request: { url: `${files.url}/people.csv?token=${randomUUID()}`, reference: null },
  })
  expect(await world.flows.result(imported)).toMatchObject({ result: { outcome: 'completed', errorCount: 1 } })

  const { caseNo } = await book(world, 'issue')
  const key = `awaits:${caseNo}`
  const { client, taskQueue } = world
  const booked = await client.workflow.execute('booking', { workflowId: key, taskQueue, args: [{ caseNo, key }] })
  expect(booked).toMatchObject({ caseNo })
  await terminate(world, caseNo)
  expect(await sweepCase(world, caseNo, { act: 'adopt' })).toMatchObject({ caseNo })
  expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
  return [...[account, imported, caseNo].map(toWorkflowId), key]
}

/** The ids of the workflows that sent the received notifications. */
export function notificationIds({ received }: Pick<Receiver, 'received'>): string[] {
  return received.map(({ headers, body }) => {
    const { data } = JSON.parse(body)
    return `notification:${data.caseNo}:${data.sequence}:${headers['webhook-id']}`
  })
}

/** Waits for the last notification of a flow. */
export function lastNotice({ received }: Pick<Receiver, 'received'>, caseNo: string) {
  return eventually(() =>
    received.find(({ body }) => body.includes(`"caseNo":"${caseNo}"`) && body.includes('"flow.ended"')),
  )
}
