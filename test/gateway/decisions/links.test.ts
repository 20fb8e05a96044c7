import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { decisionPath, linkedDecisions, writeDecisionLink } from '#contract'
import { type DecisionLinks, type FlowNotification, toWorkflowId } from '#flows'
import { type FlowApi, startFlowApi } from '../../../gateway/flowApi/index.ts'
import { eventually } from '../../support/eventually.ts'
import { book } from '../../support/flows/booking.ts'
import { growOld } from '../../support/flows/longHistories.ts'
import { noticeKey, noticesOf } from '../../support/flows/notifications.ts'
import { type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const key = 'a-key-of-links-that-is-long-enough'
const previous = 'the-key-before-it-which-is-as-long'
const day = 86_400_000
const lines: string[] = []
const log = pino({ level: 'debug' }, new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }))

let receiver: Receiver
let flowApis: FlowApi[]
/** Milliseconds that the clock of the gateways is ahead. */
let ahead = 0

beforeAll(async () => {
  receiver = await startReceiver()
  flowApis = [await openFlowApi([key]), await openFlowApi([key])]
  await useKey(key)
})
afterAll(async () => {
  await Promise.all([receiver.stop(), ...flowApis.map(flowApi => flowApi.stop(1_000))])
})

function useKey(signing: string): Promise<void> {
  const links = { url: flowApis[0]?.address ?? '', key: signing, lifetime: 3 * day, extendBy: '24h' }
  return world.restartWorker({ notifications: { url: receiver.url, key: noticeKey, links } })
}

function openFlowApi(decisionKeys: readonly string[]): Promise<FlowApi> {
  const { address, namespace } = inject('temporal')
  return startFlowApi(
    { host: '127.0.0.1', port: 0, decisionKeys, issuers: [], limits: { eventLoopDelay: 60_000 } },
    {
      ...{ temporal: { address }, namespace, taskQueue: world.taskQueue, log, observer: undefined },
      clock: () => Date.now() + ahead,
      readiness: { missing: () => [] },
      stopping: new AbortController().signal,
    },
  )
}

/** A flow whose window has passed, with the links of its notification. */
async function overdueFlow(): Promise<{ caseNo: string; links: DecisionLinks }> {
  const { caseNo, shipment } = await book(world, 'issue', { pickUp: '100ms' })
  await world.open(shipment, 'deliveryCode')
  return { caseNo, links: await linksOf(caseNo, 1) }
}

/** The links of the notification that is overdue for that time. */
function linksOf(caseNo: string, count: number): Promise<DecisionLinks> {
  return eventually(() => overdueOf(caseNo)[count - 1]?.data.links)
}

function overdueOf(caseNo: string): FlowNotification[] {
  return noticesOf(receiver, caseNo).filter(({ type }) => type === 'flow.overdue')
}

async function open(link: string, method: 'GET' | 'HEAD' | 'POST' = 'POST') {
  const response = await fetch(link, { method, redirect: 'error' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function stateOf(caseNo: string) {
  return (await world.statusWhen(caseNo, () => true)).state
}

/** The identities of the callers whose updates the flow accepted. */
async function decidersOf(caseNo: string): Promise<unknown[]> {
  const { events } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  return (events ?? []).flatMap(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) =>
    accepted?.acceptedRequest?.input?.name === 'decide' ? [accepted.acceptedRequest.meta?.identity] : [],
  )
}

async function end(caseNo: string): Promise<void> {
  expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
}

describe('a link of an overdue flow', () => {
  test('extends by its length, and the history names the link as the caller', async () => {
    const { caseNo, links } = await overdueFlow()
    const before = Date.now()
    const answer = await open(links.extend)
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('<h1>Decided</h1>') })
    const { state, deadline } = await world.statusWhen(caseNo, () => true)
    expect(state).toBe('waiting')
    expect(Date.parse(deadline ?? '')).toBeGreaterThanOrEqual(before + day - 1_000)
    expect(await decidersOf(caseNo)).toEqual([expect.stringMatching(/^link:[\w-]{22}$/)])
    await end(caseNo)
  })

  test('keeps waiting', async () => {
    const { caseNo, links } = await overdueFlow()
    expect(await open(links.keepWaiting)).toMatchObject({ status: 200 })
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({ state: 'waiting', deadline: null })
    await end(caseNo)
  })

  test('cancels, and later ones change nothing', async () => {
    const { caseNo, links } = await overdueFlow()
    expect(await open(links.cancel)).toMatchObject({ status: 200 })
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
    expect(await open(links.cancel)).toMatchObject({ status: 409, text: expect.stringContaining('used before') })
    expect(await open(links.extend)).toMatchObject({ status: 409, text: expect.stringContaining('has ended') })
  })

  test('that is repeated without end is limited, and other links are not', async () => {
    const { caseNo, links } = await overdueFlow()
    const statuses: number[] = []
    while (!statuses.includes(429) && statuses.length < 100) {
      const { status, headers } = await open(links.keepWaiting)
      statuses.push(status)
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    expect(await open(links.keepWaiting, 'GET')).toMatchObject({ status: 200 })
    expect(await open(links.extend)).toMatchObject({ status: 409, text: expect.stringContaining('Too late') })
    await end(caseNo)
  })

  test('that is only read, as by a scanner of mails, changes nothing', async () => {
    const { caseNo, links } = await overdueFlow()
    for (const decision of linkedDecisions) {
      const { status, headers, text } = await open(links[decision], 'GET')
      expect(status).toBe(200)
      expect(text).toContain(caseNo)
      expect(text).toContain('<form method="post">')
      expect(text).not.toContain('<script')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(await open(links[decision], 'HEAD')).toMatchObject({ status: 200, text: '' })
    }
    expect(await stateOf(caseNo)).toBe('overdue')
    expect(await decidersOf(caseNo)).toEqual([])
    await end(caseNo)
  })

  test('shows a case number with the characters of HTML as a text', async () => {
    const link = {
      caseNo: `<b>"I'&1`,
      notification: 'x',
      decision: 'cancel',
      expiresAt: Date.now() / 1_000 + 60,
    } as const
    const { status, text } = await open(`${flowApis[0]?.address}${decisionPath}${writeDecisionLink(key, link)}`, 'GET')
    expect(status).toBe(200)
    expect(text).toContain('Case <bdi>&#60;b&#62;&#34;I&#39;&#38;1</bdi>:')
  })

  test('counts once, also among the three of a notification', async () => {
    const { caseNo, links } = await overdueFlow()
    expect(await open(links.keepWaiting)).toMatchObject({ status: 200 })
    expect(await open(links.keepWaiting)).toMatchObject({ status: 409, text: expect.stringContaining('used before') })
    expect(await open(links.cancel)).toMatchObject({ status: 409, text: expect.stringContaining('Too late') })
    expect(await stateOf(caseNo)).toBe('waiting')
    expect(await decidersOf(caseNo)).toHaveLength(1)
    await end(caseNo)
  })

  test('says that it was used before, even when the flow has continued as new', async () => {
    const { caseNo, links } = await overdueFlow()
    expect(await open(links.keepWaiting)).toMatchObject({ status: 200 })
    await growOld(world, caseNo)
    expect(await open(links.keepWaiting)).toMatchObject({ status: 409, text: expect.stringContaining('used before') })
    expect(await open(links.extend)).toMatchObject({ status: 409, text: expect.stringContaining('Too late') })
    await end(caseNo)
    expect(await open(links.keepWaiting)).toMatchObject({ status: 409, text: expect.stringContaining('used before') })
  })

  test('opened at two gateways at once decides once', async () => {
    const { caseNo, links } = await overdueFlow()
    const { pathname } = new URL(links.extend)
    const opened = await Promise.all(
      flowApis.flatMap(({ address }) => [open(address + pathname), open(address + pathname)]),
    )
    // Those at the same time get the outcome of the one update. A later one may learn that the link was used.
    expect(opened.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(opened.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect(await decidersOf(caseNo)).toHaveLength(1)
    await end(caseNo)
  })

  test('and another link of the notification at once: only one of them takes effect', async () => {
    const { caseNo, links } = await overdueFlow()
    const opened = await Promise.all([open(links.extend), open(links.keepWaiting), open(links.cancel)])
    expect(opened.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    await world.flows.cancel(caseNo, 'over')
  })

  test('does not decide about the next overdue', async () => {
    const { caseNo, links } = await overdueFlow()
    await world.flows.decide(caseNo, { decision: 'extend', by: '100ms' })
    const next = await linksOf(caseNo, 2)
    expect(await open(links.cancel)).toMatchObject({ status: 409, text: expect.stringContaining('Too late') })
    expect(await stateOf(caseNo)).toBe('overdue')
    expect(await open(next.keepWaiting)).toMatchObject({ status: 200 })
    await end(caseNo)
  })

  test('that has expired changes nothing', async () => {
    const { caseNo, links } = await overdueFlow()
    const [{ timestamp } = { timestamp: '' }] = overdueOf(caseNo)
    expect(Math.floor(Date.parse(timestamp) / 1_000) * 1_000 + 3 * day).toBe(Date.parse(links.expiresAt))
    ahead = Date.parse(links.expiresAt) - Date.now()
    try {
      expect(await open(links.cancel, 'GET')).toMatchObject({ status: 410 })
      expect(await open(links.cancel)).toMatchObject({ status: 410, text: expect.stringContaining('has expired') })
    } finally {
      ahead = 0
    }
    expect(await stateOf(caseNo)).toBe('overdue')
    await end(caseNo)
  })

  test('whose content or signature is of another link or key changes nothing', async () => {
    const [{ caseNo, links }, other] = [await overdueFlow(), await overdueFlow()]
    const [content, signature] = links.keepWaiting.split(decisionPath)[1]?.split('.') ?? []
    const [address, cancelled] = links.cancel.split(decisionPath)
    const [ofCancel] = cancelled?.split('.') ?? []
    const [, ofOther] = other.links.cancel.split('.').slice(-2)
    const forged = writeDecisionLink(previous, {
      ...{ caseNo, notification: 'x', decision: 'cancel', expiresAt: Date.now() / 1_000 + 60 },
    })
    const tokens = [
      ...[`${ofCancel}.${signature}`, `${ofCancel}.${ofOther}`, `${ofCancel}.`, `${ofCancel}`, forged],
      ...[`${cancelled}.`, `${content?.slice(1)}.${signature}`, 'x'.repeat(900)],
    ]
    for (const token of tokens) {
      const link = address + decisionPath + token
      expect(await open(link, 'GET')).toMatchObject({ status: 404 })
      expect(await open(link)).toMatchObject({ status: 404, text: expect.stringContaining('altered') })
    }
    expect([await stateOf(caseNo), await stateOf(other.caseNo)]).toEqual(['overdue', 'overdue'])
    await end(caseNo)
    await end(other.caseNo)
  })

  test('of the key before is accepted while a gateway has it', async () => {
    await useKey(previous)
    const { caseNo, links } = await overdueFlow()
    const { pathname } = new URL(links.keepWaiting)
    expect(await open(links.keepWaiting)).toMatchObject({ status: 404 })
    const rotating = await openFlowApi([key, previous])
    expect(await open(rotating.address + pathname)).toMatchObject({ status: 200 })
    await rotating.stop(1_000)
    await end(caseNo)
    await useKey(key)
  })

  test('is in no history and in no log, and the log names its id', async () => {
    const { caseNo, links } = await overdueFlow()
    lines.length = 0
    await open(links.keepWaiting, 'GET')
    await open(links.keepWaiting)
    const [decider] = await decidersOf(caseNo)
    const written = lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'decision by link')
    expect(written).toMatchObject([{ caseNo, decision: 'keepWaiting', outcome: 'decided', link: expect.any(String) }])
    expect(`link:${written[0].link}`).toBe(decider)
    const histories = []
    for await (const { workflowId } of world.client.workflow.list({
      query: `WorkflowId STARTS_WITH 'notification:${caseNo}:'`,
    }))
      histories.push(await world.client.workflow.getHandle(workflowId).fetchHistory())
    const flow = await world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
    const [, signature = ''] = links.keepWaiting.split('.').slice(-2)
    expect(signature.length).toBeGreaterThan(40)
    const everything = [...lines, JSON.stringify([flow, ...histories])].join('\n')
    expect(everything).not.toContain(signature)
    expect(everything).not.toContain(Buffer.from(signature).toString('base64').slice(0, 40))
    await end(caseNo)
  })

  test('of a flow without a worker can be opened again later', async () => {
    const { caseNo, links } = await overdueFlow()
    await world.stopWorker()
    const { status, headers } = await open(links.keepWaiting)
    expect([status, headers.get('retry-after')]).toEqual([503, '60'])
    await useKey(key).catch(() => undefined)
    await end(caseNo)
  })
})
