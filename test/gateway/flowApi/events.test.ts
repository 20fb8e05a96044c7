import { expect, inject, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { toWorkflowId } from '#flows'
import { openStream, type ServerEvent } from '../../support/flowApi/eventStream.ts'
import { useFlowApi } from '../../support/flowApi/useFlowApi.ts'
import { book } from '../../support/flows/booking.ts'
import { startRelay } from '../../support/servers/relay.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()
const flowApi = useFlowApi(world)

async function follow(caseNo: string, lastEventId?: string, lifetime = 600) {
  const token = await flowApi.issuer.token({ lifetime })
  return openStream(`${flowApi.address}/flows/${caseNo}/events`, token, lastEventId)
}

const inStage = (stage: string) => (event: ServerEvent) => event.event === 'Stage' && event.data.stage === stage
const isEnd = ({ event }: ServerEvent) => event === 'Ended'

test('a stream that is cut goes on behind the last event, and ends with the flow', async () => {
  const { caseNo, shipment } = await book(world, 'issue')
  const stream = await follow(caseNo)
  expect(stream.status).toBe(200)
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const before = await stream.until(inStage('dropOff'))
  expect(before).toMatchObject([
    { id: expect.any(String), event: 'Shipment', data: { kind: 'Shipment', shipment: { role: 'issue' } } },
    { event: 'Stage', data: { kind: 'Stage', stage: 'dropOff', cursor: before.at(-1)?.id } },
  ])
  stream.cut()
  await world.open(shipment, 'deliveryCode')
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')

  const second = await follow(caseNo, before.at(-1)?.id)
  const between = await second.until(inStage('pickUp'))
  expect(between.some(inStage('dropOff'))).toBe(false)
  expect(between.some(({ data }) => data.shipment?.stateCode === 'ReadyForPickup')).toBe(true)
  await world.open(shipment, 'pickUpCode')
  const rest = await second.until(() => false)
  expect(rest.at(-1)).toMatchObject({ id: 'end', event: 'Ended', data: { result: { outcome: 'completed' } } })

  const late = await follow(caseNo)
  expect((await late.until(() => false)).at(-1)).toMatchObject({ event: 'Ended' })
  // A browser stops for this status alone.
  expect((await follow(caseNo, 'end')).status).toBe(204)
})

test('a stream follows a flow whose history has more than four megabytes', async () => {
  const { caseNo } = await book(world, 'stock')
  const flow = world.client.workflow.getHandle(toWorkflowId(caseNo))
  for (let signal = 0; signal < 4; signal++) await flow.signal('ofAnotherProgram', 'x'.repeat(1_200_000))
  const stream = await follow(caseNo)
  await stream.until(inStage('dropOff'))
  await world.flows.cancel(caseNo, 'over')
  expect((await stream.until(isEnd)).at(-1)).toMatchObject({ data: { result: { outcome: 'cancelled' } } })
  // The connection of the tests cannot read the history to replay it.
  world.cases.delete(caseNo)
})

test('two streams of one flow get the same events', async () => {
  const { caseNo } = await book(world, 'stock')
  const streams = await Promise.all([follow(caseNo), follow(caseNo)])
  await Promise.all(streams.map(stream => stream.until(inStage('dropOff'))))
  await world.flows.cancel(caseNo, 'over')
  const ends = await Promise.all(streams.map(async stream => (await stream.until(isEnd)).at(-1)))
  expect(ends[0]).toEqual(ends[1])
})

test('a stream ends when its token expires, and goes on with a new one', async () => {
  const { caseNo } = await book(world, 'stock')
  // Long enough for the first events on a busy machine.
  const stream = await follow(caseNo, undefined, 20)
  const events = await stream.until(() => false)
  expect(events.some(inStage('dropOff'))).toBe(true)
  expect(events.some(isEnd)).toBe(false)
  const next = await follow(caseNo, events.findLast(({ id }) => id !== undefined)?.id)
  await world.flows.cancel(caseNo, 'over')
  expect((await next.until(isEnd)).at(-1)).toMatchObject({ data: { result: { outcome: 'cancelled' } } })
})

test('a stream lasts whose token lives for longer than a timer of Node.js can run', async () => {
  const { caseNo } = await book(world, 'stock')
  const stream = await follow(caseNo, undefined, 30 * 86_400)
  await stream.until(inStage('dropOff'))
  await world.flows.cancel(caseNo, 'over')
  expect((await stream.until(isEnd)).at(-1)).toMatchObject({ event: 'Ended' })
})

test('an invalid id and an unknown case are problems, and no streams', async () => {
  const { caseNo } = await book(world, 'stock')
  const deep = `["",null,null,{"S-1":${'['.repeat(11_000)}${']'.repeat(11_000)}}]`
  for (const id of ['abc', Buffer.from(deep).toString('base64url')]) {
    const invalid = await flowApi.call('GET', `/flows/${caseNo}/events`, undefined, { 'last-event-id': id })
    expect(invalid).toMatchObject({ status: 422, body: { kind: 'Refused', code: 'InvalidCursor' } })
  }
  expect(await flowApi.call('GET', '/flows/nowhere/events')).toMatchObject({
    status: 404,
    body: { code: 'UnknownCase' },
  })
  await world.flows.cancel(caseNo, 'over')
})

/** The schema of an event's data in the document. */
async function schemaOfEvents(): Promise<z.ZodType> {
  const document = await (await fetch(`${flowApi.address}/openapi.json`)).text()
  // zod resolves references to `$defs` only.
  const { paths, components } = JSON.parse(document.replaceAll('#/components/schemas/', '#/$defs/'))
  const content = paths['/flows/{caseNo}/events'].get.responses[200].content['text/event-stream']
  return z.fromJSONSchema({ ...content['x-items'], $defs: components.schemas })
}

test('the events of a flow that is cancelled, and of one that the service refuses, are as the document says', async () => {
  const schema = await schemaOfEvents()
  const { caseNo } = await book(world, 'stock')
  await world.flows.cancel(caseNo, 'over')
  const refused = world.newCase(0)
  const input = { caseNo: refused, request: { ...parcel, PupUid: 'nowhere' } }
  await flowApi.call('POST', '/flows/stock?wait=booked', input)
  const streams = await Promise.all([follow(caseNo), follow(refused)])
  const events = (await Promise.all(streams.map(stream => stream.until(() => false)))).flat()
  const kinds = new Set(events.map(({ event }) => event))
  expect([...kinds].toSorted()).toEqual(expect.arrayContaining(['Ended', 'Refused', 'Shipment']))
  for (const { data } of events) expect({ data, errors: schema.safeParse(data).error }).toEqual({ data })
})

test('a stream begins while Temporal takes calls and does not respond, and has the events afterwards', async () => {
  const { caseNo } = await book(world, 'stock')
  const relay = await startRelay(inject('temporal').address)
  onTestFinished(() => relay.cut())
  const { address } = await flowApi.open({ temporal: { address: relay.address } })
  const token = await flowApi.issuer.token()
  const url = `${address}/flows/${caseNo}/events`
  await (await openStream(url, token)).until(inStage('dropOff'))
  relay.hold(caseNo)
  const stream = await openStream(url, token)
  expect(stream.status).toBe(200)
  relay.release()
  expect((await stream.until(inStage('dropOff'))).length).toBeGreaterThan(0)
  stream.cut()
  await world.flows.cancel(caseNo, 'over')
})

test('a caller has a limited number of streams, and gets another one when one has ended', async () => {
  const { caseNo } = await book(world, 'stock')
  const { address } = await flowApi.open({ limits: { streams: 2 } })
  const token = await flowApi.issuer.token()
  const other = await flowApi.issuer.token({ claims: { sub: 'another-shop' } })
  const url = `${address}/flows/${caseNo}/events`
  const [first] = [await openStream(url, token), await openStream(url, token)]
  expect((await openStream(url, token)).status).toBe(429)
  expect((await openStream(url, other)).status).toBe(200)
  first?.cut()
  await expect.poll(async () => (await openStream(url, token)).status).toBe(200)
  await world.flows.cancel(caseNo, 'over')
})
