import { describePoint, kindOf, parseDuration } from '#flows'
import type { FlowDeclaration, OnTimeout, Step, Window } from '#flows/declaration'

const onTimeoutTexts = {
  remind: 'a reminder, and the window starts again',
  cancel: 'the flow is cancelled and ends as expired',
  ask: 'a person decides',
} as const

/** Summary and details of a flow in the Web UI, in Markdown. */
export interface Description {
  readonly staticSummary: string
  readonly staticDetails: string
}

type Windows = Readonly<Record<string, unknown>>

/** Longer details are cut: Temporal refuses a start with more than 20,000 bytes. Encryption and compression add some. */
const maxDetails = 16_000

/** Undefined for an unknown flow: that workflow is started anyway, and fails with `UnknownFlow`. */
export function describeFlow(flow: FlowDeclaration | undefined, windows: Windows = {}): Description | undefined {
  if (flow === undefined) return undefined
  const lines = describeSteps(flow.steps.slice(isBooking(flow) ? 1 : 0), windows)
  const details = lines.join('\n')
  return { staticSummary: flow.summary, staticDetails: bytesOf(details) > maxDetails ? cut(lines) : details }
}

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}

/** The booking that begins a flow is over before its details are read. */
function isBooking({ steps: [first] }: FlowDeclaration): boolean {
  return first !== undefined && 'book' in first
}

function describeSteps(steps: readonly Step[], windows: Windows): string[] {
  return steps.map((step, index) => {
    const condition = step.when === undefined ? '' : ' Not for every request.'
    return `${index + 1}. **${step.name}**: ${step.summary} ${describeWindow(step, windows)}${condition}`
  })
}

function describeWindow(step: Step, windows: Windows): string {
  const { describe, end } = kindOf(step)
  if (describe !== undefined) return describe(step)
  const window = validDuration(windows[step.name]) ?? end(step)
  const onTimeout = 'onTimeout' in step ? step.onTimeout : undefined
  if (window === null || window === undefined || onTimeout === undefined) return 'It may take any time.'
  return `Window ${lengthText(window)}, then: ${onTimeoutText(onTimeout)}.`
}

function lengthText(window: string | NonNullable<Window>): string {
  return typeof window === 'string' ? window : `until ${describePoint(window)}`
}

function onTimeoutText(onTimeout: OnTimeout): string {
  return typeof onTimeout === 'string' ? onTimeoutTexts[onTimeout] : `the flow goes on with ${onTimeout.goTo}`
}

/** As many lines as fit, and the number of the others. */
function cut(lines: readonly string[]): string {
  const kept: string[] = []
  let bytes = 0
  for (const line of lines) {
    bytes += bytesOf(line)
    if (bytes > maxDetails) break
    kept.push(line)
  }
  return [...kept, '', `And ${lines.length - kept.length} more.`].join('\n')
}

/** Windows of the input are not validated yet; invalid ones are left out. */
function validDuration(window: unknown): string | undefined {
  return typeof window === 'string' && parseDuration(window) !== undefined ? window : undefined
}
