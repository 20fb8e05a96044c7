import { milliseconds } from '#contract/terms'
import { type FlowDeclaration, findDeclaration, type PlainDeclaration } from '#workflows/flows'

const answers = {
  remind: 'a reminder, and the window again',
  cancel: 'the flow is cancelled and ends as expired',
  ask: 'somebody has to decide',
} as const

/** What the Web UI says of a flow from its start on: a line, and what will have to happen, in Markdown. */
export interface Description {
  readonly staticSummary: string
  readonly staticDetails: string
}

/** Undefined for a name that is no flow; it is started all the same, and the worker answers it with UnknownFlow. */
export function describe(flow: string, windows: Readonly<Record<string, unknown>> = {}): Description | undefined {
  const declaration = findDeclaration(flow)
  if (declaration === undefined) return undefined
  const lines = 'steps' in declaration ? steps(declaration) : stages(declaration, windows)
  return { staticSummary: declaration.summary, staticDetails: lines.join('\n') }
}

function stages({ stages }: FlowDeclaration, windows: Readonly<Record<string, unknown>>): string[] {
  return stages.map(({ name, summary, window, answer, when }, index) => {
    const length = asGiven(windows[name]) ?? window
    const passing =
      length === null || answer === null ? 'It may take any time.' : `Window ${length}, then: ${answers[answer]}.`
    const condition = when === undefined ? '' : ' Not for every request.'
    return `${index + 1}. **${name}**: ${summary} ${passing}${condition}`
  })
}

function steps({ steps }: PlainDeclaration): string[] {
  return steps.map(({ name, summary, onlyIf }: PlainDeclaration['steps'][number], index) => {
    const condition = onlyIf === undefined ? '' : ` Only if: ${onlyIf}.`
    return `${index + 1}. **${name}**: ${summary}${condition}`
  })
}

/** A window of the input, which nobody has checked yet. */
function asGiven(window: unknown): string | undefined {
  return typeof window === 'string' && milliseconds(window) !== undefined ? window : undefined
}
