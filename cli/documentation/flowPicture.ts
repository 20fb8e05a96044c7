import { type AccountFlowDeclaration, type AccountStep, type FlowDeclaration, type WaitStep, waitSteps } from '#flows'

/** The values that a request gives to the fields which steps depend on. */
type Flags = Readonly<Record<string, boolean>>

/** A Mermaid picture of a flow. Arrows that only some requests take name the field that decides. */
export function flowPicture(flow: FlowDeclaration): string {
  const variants = toFlags(flow).map(flags => ({ flags, arrows: toArrows(flow, flags) }))
  const all = new Map(variants.flatMap(({ arrows }) => arrows.map(arrow => [toKey(arrow), arrow])))
  const lines = [...all].map(([key, { from, to, label, dotted }]) => {
    const passing = variants.filter(({ arrows }) => arrows.some(arrow => arrow.from === from))
    const taking = passing.filter(({ arrows }) => arrows.some(arrow => toKey(arrow) === key))
    const only = taking.length < passing.length ? setIn(taking.map(({ flags }) => flags)) : []
    return `  ${from} ${dotted ? '-.->' : '-->'}|${[label, ...only].join(', ')}| ${to}`
  })
  return drawn(flow.name, 'booking', lines)
}

/** A Mermaid picture of an account flow. Conditional steps carry their condition. */
export function accountPicture({ name, steps }: AccountFlowDeclaration): string {
  const [first = { name: 'completed' }] = steps
  const after = [...steps.slice(1), { name: 'completed' }]
  const lines = steps.flatMap((step, index) => {
    const later: readonly Partial<AccountStep>[] = after.slice(index)
    const always = later.findIndex(({ onlyIf }) => onlyIf === undefined)
    return later
      .slice(0, always + 1)
      .map(next => `  ${step.name} -->${next.onlyIf ? `|${next.onlyIf}|` : ''} ${next.name}`)
  })
  return drawn(name, first.name, lines)
}

function drawn(name: string, first: string, lines: readonly string[]): string {
  return ['```mermaid', 'flowchart LR', `  start([${name}]) --> ${first}`, ...lines, '```'].join('\n')
}

function toKey({ from, to, label }: Arrow): string {
  return JSON.stringify([from, to, label])
}

interface Arrow {
  readonly from: string
  readonly to: string
  readonly label: string
  readonly dotted: boolean
}

function toArrows(flow: FlowDeclaration, flags: Flags): Arrow[] {
  const through = waitSteps(flow).filter(({ when = {} }) =>
    Object.entries(when).every(([path, value]) => flags[toField(path)] === value),
  )
  const steps = ['booking', ...through.map(({ name }) => name), 'completed']
  return [
    { from: 'booking', to: steps[1] ?? '', label: 'booked', dotted: false },
    ...through.flatMap((step, index) => arrowsFrom(step, steps[index + 2] ?? '')),
  ]
}

function arrowsFrom({ name, wait, window, onTimeout, completedBy }: WaitStep, next: string): Arrow[] {
  const levels = Object.entries(wait).map(([role, state]) => `${role} ${state}`)
  const by = completedBy?.update === 'assignReceiver' ? 'assignReceiver: ' : ''
  return [
    { from: name, to: next, label: by + levels.join(', '), dotted: false },
    ...(completedBy?.update === 'release' ? [{ from: name, to: 'completed', label: 'release', dotted: false }] : []),
    ...(onTimeout === 'cancel' ? [{ from: name, to: 'expired', label: `${window} pass`, dotted: true }] : []),
    ...(onTimeout === 'remind' || onTimeout === 'ask'
      ? [{ from: name, to: name, label: `${window} pass: ${onTimeout}`, dotted: true }]
      : []),
  ]
}

/** Every combination of the fields that steps depend on. A flow without such fields has one empty combination. */
export function toFlags(flow: FlowDeclaration): Flags[] {
  const fields = new Set(waitSteps(flow).flatMap(({ when = {} }) => Object.keys(when).map(toField)))
  return [...fields].reduce<Flags[]>(
    (known, field) => known.flatMap(flags => [false, true].map(value => ({ ...flags, [field]: value }))),
    [{}],
  )
}

/** The fields that are set in all of these. */
function setIn([first = {}, ...others]: readonly Flags[]): string[] {
  return Object.keys(first).filter(field => [first, ...others].every(flags => flags[field]))
}

/** The field of a path such as `input.IsReceiverDelayed`. */
export function toField(path: string): string {
  return path.slice('input.'.length)
}
