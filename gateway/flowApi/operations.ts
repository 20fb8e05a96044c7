import type { z } from 'zod'
import type { FlowClient } from '#client'
import type { Decision } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { bodies, queries } from './requests.ts'
import type { ResultKind } from './results.ts'
import { rejectWithoutRole } from './roles.ts'
import type { Caller } from './tokens/caller.ts'
import type { Scope } from './tokens/issuer.ts'

/** The client of the flow API, which knows its flows only while running. */
export type Flows = FlowClient<FlowDeclaration>

/** A parsed call. */
export interface FlowApiCall<Query = Readonly<Record<string, unknown>>, Body = Readonly<Record<string, unknown>>> {
  readonly flows: Flows
  /** The part of the path: a case number, or for a start the name of a flow. */
  readonly key: string
  readonly query: Query
  readonly body: Body
  readonly caller: Pick<Caller, 'roles'>
}

/** An operation of the flow API: its route, its part of the OpenAPI document, and its call of the flow client. */
export interface FlowApiOperation {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The meaning of the parameter of the path; undefined without one. */
  readonly key?: 'flow' | 'caseNo'
  readonly scope: Scope
  readonly summary: string
  readonly query: z.ZodObject
  readonly body?: z.ZodObject
  /** A request without a body has no fields. */
  readonly mayOmitBody?: true
  /** The kinds of its results. */
  readonly kinds: readonly ResultKind[]
  /** A call can make many calls of Temporal, so that few run at a time. */
  readonly makesManyCalls?: true
  readonly run: (call: FlowApiCall) => Promise<{ readonly kind: ResultKind }>
}

function declare<Query extends z.ZodObject, Body extends z.ZodObject = z.ZodObject>(
  operation: Omit<FlowApiOperation, 'query' | 'body' | 'run'> & {
    readonly query: Query
    readonly body?: Body
    readonly run: (call: FlowApiCall<z.output<Query>, z.output<Body>>) => ReturnType<FlowApiOperation['run']>
  },
): FlowApiOperation {
  return operation as unknown as FlowApiOperation
}

const milliseconds = (seconds: number) => ({ timeout: seconds * 1_000 })
const onCase = '/flows/{caseNo}'

/** Every operation but the events, whose response is a stream. */
export const flowApiOperations = [
  declare({
    name: 'startFlow',
    method: 'POST',
    path: '/flows/{key}',
    key: 'flow',
    scope: 'flows:write',
    summary:
      "Starts a flow. A second start of the same case finds the first one, so a start can be repeated safely. A start of a case that the namespace's retention has deleted books again. Waits for the booking or the end if `wait` says so.",
    query: queries.start,
    body: bodies.start,
    kinds: [
      ...(['Started', 'Booked', 'BookingPending', 'Ended', 'EndPending', 'CaseFinished', 'CaseInUse'] as const),
      ...(['Refused', 'UnknownCase'] as const),
    ],
    run({ flows, key, query: { wait, timeout }, body: { caseNo, request, windows } }) {
      const input = { caseNo, request, ...(windows && { windows }) } as Parameters<Flows['start']>[1]
      if (wait === 'booked') return flows.startAndWaitForBooking(key, input, milliseconds(timeout))
      if (wait === 'end') return flows.startAndWaitForEnd(key, input, milliseconds(timeout))
      return flows.start(key, input)
    },
  }),
  declare({
    name: 'getFlow',
    method: 'GET',
    path: '/flows/{key}',
    key: 'caseNo',
    scope: 'flows:read',
    summary:
      'Returns the status of a flow, even after its end. A flow that failed has the state `ended`, no `result` and a `failure`, with its code and what is left over.',
    query: queries.status,
    kinds: ['Status', 'UnknownCase'],
    run: ({ flows, key, query: { picture } }) => flows.status(key, { picture: picture === 'true' }),
  }),
  declare({
    name: 'listFlows',
    method: 'GET',
    path: '/flows',
    scope: 'flows:read',
    summary:
      'Lists open flows, the last started first, then ended ones, the last ended first, up to a few seconds late.',
    query: queries.list,
    kinds: ['Listed', 'Refused'],
    makesManyCalls: true,
    run: ({ flows, query: { overdue, ...filter } }) =>
      flows.list({ ...filter, ...(overdue !== undefined && { overdue: overdue === 'true' }) }),
  }),
  declare({
    name: 'cancelFlow',
    method: 'POST',
    path: `${onCase}/cancel`,
    key: 'caseNo',
    scope: 'flows:write',
    summary: 'Cancels a flow and waits until it is cleaned up.',
    query: queries.update,
    body: bodies.cancel,
    mayOmitBody: true,
    kinds: ['Cancelled', 'CancelPending', 'Refused', 'UnknownCase'],
    run: ({ flows, key, query, body }) => flows.cancel(key, body.reason, milliseconds(query.timeout)),
  }),
  declare({
    name: 'decide',
    method: 'POST',
    path: `${onCase}/decide`,
    key: 'caseNo',
    scope: 'flows:write',
    summary: 'Decides about an expired window.',
    query: queries.update,
    body: bodies.decide,
    kinds: ['Decided', 'Refused', 'UnknownCase'],
    run: ({ flows, key, query, body }) => flows.decide(key, body as Decision, milliseconds(query.timeout)),
  }),
  declare({
    name: 'assignReceiver',
    method: 'POST',
    path: `${onCase}/assignReceiver`,
    key: 'caseNo',
    scope: 'flows:write',
    summary: 'Names the user who collects the shipment: the same as the answer `named` to the step `naming`.',
    query: queries.update,
    body: bodies.assignReceiver,
    kinds: ['Answered', 'Refused', 'UnknownCase'],
    run: ({ flows, key, query, body }) => flows.assignReceiver(key, body.toUserUid, milliseconds(query.timeout)),
  }),
  declare({
    name: 'release',
    method: 'POST',
    path: `${onCase}/release`,
    key: 'caseNo',
    scope: 'flows:write',
    summary: 'Ends a kept booking: the same as the answer `release` to the step `kept`.',
    query: queries.update,
    kinds: ['Answered', 'Refused', 'UnknownCase'],
    run: ({ flows, key, query }) => flows.release(key, milliseconds(query.timeout)),
  }),
  declare({
    name: 'answer',
    method: 'POST',
    path: `${onCase}/answer`,
    key: 'caseNo',
    scope: 'flows:write',
    summary:
      'Answers the question that a flow asks. The same answer again returns the result of the first one. The token needs the role that the question names as `who`; otherwise the response is 403 with the code `Forbidden`.',
    query: queries.update,
    body: bodies.answer,
    kinds: ['Answered', 'Refused', 'UnknownCase'],
    run: async ({ flows, key, query, body, caller }) =>
      (await rejectWithoutRole(flows, key, body.step, caller)) ??
      flows.answer(key, body as Parameters<Flows['answer']>[1], milliseconds(query.timeout)),
  }),
] as const

/** The operation whose response is a stream of events. */
export const watchOperation = {
  name: 'watchFlow',
  method: 'GET',
  path: `${onCase}/events`,
  key: 'caseNo',
  scope: 'flows:read',
  summary:
    'Follows a flow until it has ended, as server-sent events. `event` is the kind and `data` the item. Send the last `id` as `Last-Event-ID` to continue after it.',
  kinds: ['Stage', 'Shipment', 'Overdue', 'Interrupted', 'Ended', 'Refused', 'UnknownCase'],
} as const satisfies Partial<FlowApiOperation>
