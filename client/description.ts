import { type AccountFlowDeclaration, type FlowDeclaration, findDeclaration, parseDuration, waitSteps } from '#flows'

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

/** Undefined for an unknown name: that workflow is started anyway, and fails with `UnknownFlow`. */
export function describeFlow(flow: string, windows: Readonly<Record<string, unknown>> = {}): Description | undefined {
  const declaration = findDeclaration(flow)
  if (declaration === undefined) return undefined
  const lines = 'operation' in declaration ? describeSteps(declaration) : describeWaits(declaration, windows)
  return { staticSummary: declaration.summary, staticDetails: lines.join('\n') }
}

function describeWaits(flow: FlowDeclaration, windows: Readonly<Record<string, unknown>>): string[] {
  return waitSteps(flow).map(({ name, summary, window, onTimeout, when }, index) => {
    const length = validDuration(windows[name]) ?? window
    const timeout =
      length === null || onTimeout === undefined
        ? 'It may take any time.'
        : `Window ${length}, then: ${onTimeoutTexts[onTimeout]}.`
    const condition = when === undefined ? '' : ' Not for every request.'
    return `${index + 1}. **${name}**: ${summary} ${timeout}${condition}`
  })
}

function describeSteps({ steps }: AccountFlowDeclaration): string[] {
  return steps.map(({ name, summary, onlyIf }: AccountFlowDeclaration['steps'][number], index) => {
    const condition = onlyIf === undefined ? '' : ` Only if: ${onlyIf}.`
    return `${index + 1}. **${name}**: ${summary}${condition}`
  })
}

/** Windows of the input are not validated yet; invalid ones are left out. */
function validDuration(window: unknown): string | undefined {
  return typeof window === 'string' && parseDuration(window) !== undefined ? window : undefined
}
