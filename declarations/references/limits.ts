import type { FlowDeclaration } from '#flows/declaration'
import type { Finding } from '../fault.ts'
import { limits } from '../form/sentences.ts'
import { bookedBy } from '../model/flow.ts'
import { boardBytes } from './board.ts'

/** Findings of the limits that no single field decides: shipments, and the size of the board in the Web UI. */
export function limitFindings(flow: FlowDeclaration): Finding[] {
  const roles = new Set(flow.steps.flatMap(bookedBy))
  const bytes = boardBytes(flow, [...roles])
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
