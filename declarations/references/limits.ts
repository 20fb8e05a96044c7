import type { FlowDeclaration, Step } from '#flows/declaration'
import type { Finding } from '../fault.ts'
import { limits } from '../form/sentences.ts'
import { bookedBy, isAsk } from '../model/flow.ts'

/** Steps before and after the current one that the board of a flow shows. */
const shown = { before: 3, after: 5 }
/** Bytes of the headline, times, left-overs of one page, and the marks between the parts. */
const fixedBytes = 2_000
/** Bytes of a shipment beside its role: uid, state, pick up point and locker. */
const shipmentBytes = 200
/** Bytes of a step beside its texts: its mark, its times, and the cause or the window with names in it. */
const stepBytes = 160

/** Findings of the limits that no single field decides: shipments, and the size of the board in the Web UI. */
export function limitFindings(flow: FlowDeclaration): Finding[] {
  const roles = new Set(flow.steps.flatMap(bookedBy))
  const bytes = boardBytes(flow, roles)
  return [
    ...(roles.size > limits.shipments
      ? [limit(`must book at most ${limits.shipments} shipments, it books ${roles.size}.`)]
      : []),
    ...(bytes > limits.boardBytes
      ? [limit(`must fit the Web UI in ${limits.boardBytes} bytes, the longest board has ${bytes}.`)]
      : []),
  ]
}

function limit(text: string): Finding {
  return { at: ['steps'], code: 'LimitExceeded', text }
}

/** The size of the board in the step that shows the most. */
function boardBytes({ name, summary, steps }: FlowDeclaration, roles: ReadonlySet<string>): number {
  const ofSteps = steps.map((_, index) => {
    const around = steps.slice(Math.max(0, index - shown.before), index + shown.after + 1)
    return around.reduce((sum, step) => sum + textBytes(step), answerBytes(steps[index]))
  })
  const ofShipments = [...roles].reduce((sum, role) => sum + bytesOf(role) + shipmentBytes, 0)
  return fixedBytes + bytesOf(name) + bytesOf(summary) + Math.max(0, ...ofSteps) + ofShipments
}

function textBytes({ name, summary }: Step): number {
  return bytesOf(name) + bytesOf(summary) + stepBytes
}

function answerBytes(step: Step | undefined): number {
  if (step === undefined || !isAsk(step)) return 0
  return bytesOf(JSON.stringify(step.ask)) + bytesOf(step.who)
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
