import { readFile } from 'node:fs/promises'
import type { Client } from '@temporalio/client'
import type { Played } from '#cli'
import { toWorkflowId } from '#flows'
import { replay } from '#worker'
import { normalizeMessage, readMessage } from '../../gateway/message.ts'
import { recordedMessages, type SentMessage, stored } from './record.ts'

export interface Evidence {
  readonly played: readonly Played[]
  readonly client: Client
  /** The service's database. */
  readonly databaseUrl: string
  /** Lockers that contradicted their shipments, one list per check. */
  readonly lockersSeen: readonly (readonly string[])[]
  /** True if the process of the audit log has made a pass after the last kill. */
  readonly collected: boolean
  /** File of the workflow bundle of the workers. */
  readonly bundle: string
}

export interface Verdict {
  /** The invariants that hold, one sentence each. */
  readonly holds: readonly string[]
  /** Lost and duplicate operations. */
  readonly faults: readonly string[]
}

/** Compares flows, store and callbacks after the last flow. */
export async function checkInvariants(evidence: Evidence): Promise<Verdict> {
  const faults: string[] = []
  const holds: string[] = []
  function hold(what: string, found: readonly string[]): void {
    if (found.length === 0) holds.push(what)
    else faults.push(...found.map(fault => `${what}, but: ${fault}`))
  }

  const { played, databaseUrl } = evidence
  const { shipments, outbox } = await stored(databaseUrl)
  const flows = await Promise.all(played.map(({ scene }) => flowOf(evidence.client, scene.caseNo)))
  const bad = played.filter(({ succeeded }) => !succeeded)
  hold(
    `${played.length} flows ended as declared`,
    bad.map(({ scene, result }) => `${scene.caseNo} ended ${result?.outcome ?? 'without a result'}`),
  )

  // One per role: a duplicate booking is not part of any result.
  const wanted = new Set(played.flatMap(({ result }) => result?.shipments.map(({ shipmentUid }) => shipmentUid) ?? []))
  const unknown = shipments.filter(({ shipment_uid }) => !wanted.has(shipment_uid))
  const gone = wanted.size - (shipments.length - unknown.length)
  hold(`${shipments.length} shipments belong to the booking of a flow`, [
    ...unknown.map(
      ({ shipment_uid, reference_case_no }) => `${shipment_uid} of ${reference_case_no} belongs to no flow`,
    ),
    ...(gone === 0 ? [] : [`${gone} booked shipments are missing`]),
  ])

  hold(
    `at ${evidence.lockersSeen.length} moments each locker was booked if and only if it had an active shipment`,
    evidence.lockersSeen.flat().map(uid => `${uid} was not`),
  )

  hold('the outbox is empty', outbox === 0 ? [] : [`${outbox} callbacks are undelivered`])
  hold('the audit log has the decisions until now', evidence.collected ? [] : ['its process stands still'])
  const messages = await recordedMessages(databaseUrl)
  const signalled = new Map(flows.map(({ caseNo, signals, closed }) => [caseNo, { signals, closed }]))
  const heard = messages.map(message => fateOf(message, signalled))
  const count = (handling: Ending) => heard.filter(({ kind }) => kind === handling).length
  hold(
    `${count('signalled')} of ${messages.length} callbacks were signalled to their flow, ${count('late')} arrived after its end`,
    heard.flatMap(({ kind, what }) => (kind === 'lost' ? [what] : [])),
  )

  const histories = flows.map(({ caseNo, history }) => ({ workflowId: toWorkflowId(caseNo), history }))
  const diverging = await replay({ code: await readFile(evidence.bundle, 'utf8') }, histories)
  hold(
    `${histories.length} histories replay with the bundle of the image`,
    diverging.map(({ workflowId, reason }) => `${workflowId}: ${reason}`),
  )
  return { holds, faults }
}

type Ending = 'signalled' | 'late' | 'lost'

/** The outcome of a callback. A flow that has ended receives none, and needs none. */
function fateOf(
  { body, delivered }: SentMessage,
  flows: ReadonlyMap<string, { signals: ReadonlySet<string>; closed: Date }>,
): { kind: Ending; what: string } {
  const read = readMessage(normalizeMessage(body))
  if (!read.ok) return { kind: 'lost', what: `unreadable callback: ${read.reason}` }
  const { caseNo, status } = read
  const what = `${caseNo} received no callback of ${status.shipmentUid} in ${status.stateCode}`
  const flow = flows.get(caseNo)
  if (flow?.signals.has(signalKey(status))) return { kind: 'signalled', what }
  const late = flow !== undefined && delivered !== undefined && delivered >= flow.closed
  return { kind: late ? 'late' : 'lost', what }
}

async function flowOf(client: Client, caseNo: string) {
  const handle = client.workflow.getHandle(toWorkflowId(caseNo))
  const [{ closeTime }, history] = await Promise.all([handle.describe(), handle.fetchHistory()])
  const signals = (history.events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const data = signal?.input?.payloads?.[0]?.data
    return data == null ? [] : [signalKey(JSON.parse(Buffer.from(data).toString()))]
  })
  return { caseNo, history, signals: new Set(signals), closed: closeTime ?? new Date(8.64e15) }
}

function signalKey({ shipmentUid, stateCode, stateStart }: Record<'shipmentUid' | 'stateCode' | 'stateStart', string>) {
  return [shipmentUid, stateCode, stateStart].join(' ')
}
