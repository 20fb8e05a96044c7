import { readFile } from 'node:fs/promises'
import type { Client } from '@temporalio/client'
import type { Played } from '#cli'
import { workflowIdOf } from '#contract/terms'
import { replay } from '#worker'
import { foldMessage, readMessage } from '../../gateway/message.ts'
import { recordedMessages, type SentMessage, stored } from './record.ts'

export interface Evidence {
  readonly played: readonly Played[]
  readonly client: Client
  /** The service's database. */
  readonly databaseUrl: string
  /** Lockers that contradicted their shipments, each time that somebody looked. */
  readonly lockersSeen: readonly (readonly string[])[]
  /** File of the workflow bundle that the workers had. */
  readonly bundle: string
}

export interface Verdict {
  /** What holds, a sentence with its numbers each. */
  readonly holds: readonly string[]
  /** What was lost, or done twice. */
  readonly faults: readonly string[]
}

/** Holds flows, store and callbacks against each other once everything is over. */
export async function verdictOn(evidence: Evidence): Promise<Verdict> {
  const faults: string[] = []
  const holds: string[] = []
  function hold(what: string, found: readonly string[]): void {
    if (found.length === 0) holds.push(what)
    else faults.push(...found.map(fault => `${what}, but: ${fault}`))
  }

  const { played, databaseUrl } = evidence
  const { shipments, outbox } = await stored(databaseUrl)
  const flows = await Promise.all(played.map(({ scene }) => flowOf(evidence.client, scene.caseNo)))
  const bad = played.filter(({ well }) => !well)
  hold(
    `${played.length} flows ended as declared`,
    bad.map(({ scene, result }) => `${scene.caseNo} ended ${result?.outcome ?? 'without a result'}`),
  )

  // As many as its roles: what a repeated booking would have made is in nobody's result.
  const wanted = new Set(played.flatMap(({ result }) => result?.shipments.map(({ shipmentUid }) => shipmentUid) ?? []))
  const unknown = shipments.filter(({ shipment_uid }) => !wanted.has(shipment_uid))
  const gone = wanted.size - (shipments.length - unknown.length)
  hold(`${shipments.length} shipments belong to a flow, each to what it booked`, [
    ...unknown.map(({ shipment_uid, reference_case_no }) => `${shipment_uid} of ${reference_case_no} is nobody's`),
    ...(gone === 0 ? [] : [`${gone} that flows booked are not there`]),
  ])

  hold(
    `at ${evidence.lockersSeen.length} moments each locker was booked exactly when an active shipment was on it`,
    evidence.lockersSeen.flat().map(uid => `${uid} was not`),
  )

  hold('the outbox is empty', outbox === 0 ? [] : [`${outbox} callbacks are left`])
  const messages = await recordedMessages(databaseUrl)
  const signalled = new Map(flows.map(({ caseNo, signals, closed }) => [caseNo, { signals, closed }]))
  const heard = messages.map(message => fateOf(message, signalled))
  const count = (fate: Fate) => heard.filter(({ kind }) => kind === fate).length
  hold(
    `of ${messages.length} changes of state ${count('signalled')} were signalled to their flow, ${count('late')} came when it had ended`,
    heard.flatMap(({ kind, what }) => (kind === 'lost' ? [what] : [])),
  )

  const histories = flows.map(({ caseNo, history }) => ({ workflowId: workflowIdOf(caseNo), history }))
  const diverging = await replay({ code: await readFile(evidence.bundle, 'utf8') }, histories)
  hold(
    `${histories.length} histories replay with the bundle of the image`,
    diverging.map(({ workflowId, reason }) => `${workflowId}: ${reason}`),
  )
  return { holds, faults }
}

type Fate = 'signalled' | 'late' | 'lost'

/** What became of a callback: a flow that has ended hears nothing more, and needs nothing more. */
function fateOf(
  { body, delivered }: SentMessage,
  flows: ReadonlyMap<string, { signals: ReadonlySet<string>; closed: Date }>,
): { kind: Fate; what: string } {
  const read = readMessage(foldMessage(body))
  if (!read.ok) return { kind: 'lost', what: `a callback that says nothing: ${read.why}` }
  const { caseNo, status } = read
  const what = `${caseNo} never heard that ${status.shipmentUid} was ${status.stateCode}`
  const flow = flows.get(caseNo)
  if (flow?.signals.has(signalKey(status))) return { kind: 'signalled', what }
  const late = flow !== undefined && delivered !== undefined && delivered >= flow.closed
  return { kind: late ? 'late' : 'lost', what }
}

async function flowOf(client: Client, caseNo: string) {
  const handle = client.workflow.getHandle(workflowIdOf(caseNo))
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
