import { LinesError, toPrintable } from '#contract/terms'
import { type FaultCode, isWarning, toFaultPage } from './codes.ts'

export { findNearest, suggest } from '#contract/terms'

/** Keys and places from the root of a declaration. */
export type FieldPath = readonly (string | number)[]

/** The lengths of the beginnings of a path that are the places of steps, the outermost first. */
export function stepsOn(at: FieldPath): number[] {
  const lengths: number[] = []
  for (let from = 0, list = listOn(at, from, ['steps']); list > 0; list = listOn(at, from, ['steps', 'group'])) {
    from += list
    lengths.push(from)
  }
  return lengths
}

/** The number of parts that lead to a member of a list of steps: `steps[0]`, `group[0]` or `parallel[0].steps[0]`; or 0. */
function listOn(at: FieldPath, from: number, lists: readonly string[]): number {
  const [key, place, inner] = at.slice(from)
  if (lists.includes(String(key))) return typeof place === 'number' ? 2 : 0
  if (from === 0 || typeof place !== 'number' || inner !== 'steps' || !['parallel', 'switch'].includes(String(key)))
    return 0
  return typeof at[from + 3] === 'number' ? 4 : 0
}

/** A fault as the checks find it. */
export interface Finding {
  readonly at: FieldPath
  readonly code: FaultCode
  /** The sentence after the field: `must be …`, with a full stop. */
  readonly text: string
}

/** A fault of a declaration, with its place. */
export interface Fault {
  /** Absent for a declaration that no file contains. */
  readonly file?: string
  /** From 1. Absent for a declaration that code makes. */
  readonly line?: number
  readonly column?: number
  /** Empty if the declaration has no name. */
  readonly flow: string
  readonly step: string | null
  /** Below the step, or below the flow outside of steps: `wait.issue`. */
  readonly path: string
  readonly code: FaultCode
  /** A whole sentence that begins with flow, step and field. */
  readonly message: string
  /** The page of the code. */
  readonly docs: string
  readonly warning: boolean
}

/** A place in a file. */
export interface Place {
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** A value that should be a declaration, and the places of its fields. */
export interface Declared {
  readonly value: unknown
  /** Found while it was read. */
  readonly findings: readonly Finding[]
  placeOf(at: FieldPath): Place
}

/** Longer values of a file are cut where a fault shows them. Characters. */
const maxShown = 100

/** Cuts the values that a sentence quotes. */
export function cutQuoted(sentence: string): string {
  return sentence.replace(/"([^"]*)"/g, (_, value: string) => `"${cut(value)}"`)
}

/** The beginning of a long value. */
export function cut(value: string): string {
  return value.length > maxShown ? `${value.slice(0, maxShown)}…` : value
}

/** @param flow the declaration, which may have any form */
export function toFault(flow: unknown, { at, code, text }: Finding, given: Place = {}): Fault {
  const places = stepsOn(at)
  const place = places.at(-1) ?? 0
  const step = place === 0 ? null : nameAt(flow, at.slice(0, place))
  const path = toPath(at.slice(place))
  const name = nameAt(flow, [])
  // Names are unique in a flow. A step without one is shown by its place in the nearest block with one.
  const named = places.findLast(length => nameAt(flow, at.slice(0, length)) !== null) ?? 0
  const shown = [named === 0 ? '' : (nameAt(flow, at.slice(0, named)) ?? ''), toPath(at.slice(named, place))]
  const subject = [name ?? '', ...shown].map(cut).concat(path).filter(Boolean).join('.')
  return {
    ...given,
    flow: name ?? '',
    step,
    path,
    code,
    message: `${subject || 'the declaration'}: ${cutQuoted(text)}`,
    docs: toFaultPage(code),
    warning: isWarning(code),
  }
}

/**
 * One line: the place, the sentence, the code and its page.
 *
 * ```ts
 * const { faults } = await loadFlows(['./flows/*.yaml'])
 * console.error(faults.map(describeFault).join('\n'))
 * ```
 */
export function describeFault({ file, line, column, message, code, docs, warning }: Fault): string {
  const place = file === undefined ? '' : `${[file, line, column].filter(part => part !== undefined).join(':')}: `
  return toPrintable(`${place}${warning ? 'warning: ' : ''}${message} [${code}] See ${docs}.`)
}

/** @throws Error with a line for each fault that is not a warning */
export function rejectFaults(faults: readonly Fault[]): void {
  const errors = faults.filter(({ warning }) => !warning)
  if (errors.length > 0) throw new LinesError(errors.map(describeFault))
}

/** The value at a path; undefined for a path that leads nowhere. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>(
    (below, key) =>
      typeof below === 'object' && below !== null && Object.hasOwn(below, key) ? Reflect.get(below, key) : undefined,
    value,
  )
}

function nameAt(value: unknown, path: FieldPath): string | null {
  const name = valueAt(value, [...path, 'name'])
  return typeof name === 'string' && name !== '' ? name : null
}

/** Keys by a dot, places in brackets; a path of the declaration, such as `input.PupUid`, in brackets and quotes. */
export function toPath(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (part.includes('.')) return `${text}["${cut(part)}"]`
    return `${text}${text && '.'}${cut(part)}`
  }, '')
}
