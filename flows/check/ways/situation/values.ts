import { canonicalJson } from '#contract/terms'
import { allSteps } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import type { FieldSource } from '../../model/booking.ts'
import { absent, nothing, other, type Value } from '../../model/conditions.ts'
import { continuesAfter, isRun } from '../../model/flow.ts'
import { domainsOf } from '../../model/scope.ts'
import { headOf } from '../../model/source.ts'
import { answerIn, hasOutput, type Node } from './node.ts'

/** The values of paths in the situations of a flow. */
export class Values {
  readonly #domains: (path: string) => Value[]
  /** The steps that have one, by their names. */
  readonly #outputs: ReadonlyMap<string, Step>
  /** The words for items of lists. */
  readonly #items: ReadonlySet<string>

  constructor(flow: FlowDeclaration) {
    this.#domains = domainsOf(flow)
    this.#outputs = new Map(
      allSteps(flow.steps)
        .filter(hasOutput)
        .map(step => [step.name, step]),
    )
    this.#items = new Set(allSteps(flow.steps).flatMap(step => ('forEach' in step ? [step.item] : [])))
  }

  /** A node for each value of a path, or for each truth of a comparison, that the node leaves open. */
  split(node: Node, key: string): Node[] {
    const domain = key.includes(' ') ? ['true', 'false'] : this.#domains(key)
    return domain.map(value => ({ ...node, values: new Map(node.values).set(key, value) }))
  }

  /** The value of a field of a booking; undefined if the node leaves it open. */
  read(node: Node, source: FieldSource): Value | undefined {
    if ('value' in source) return source.value === undefined ? absent : canonicalJson(source.value)
    const value = this.valueOf(node, source.path)
    if (value !== absent && value !== nothing) return value
    if (source.or !== undefined) return canonicalJson(source.or)
    return value === absent && source.before ? this.read(node, source.before) : value
  }

  /** The first path that decides a field of a booking and that the node leaves open. */
  openPath(node: Node, source: FieldSource): string | undefined {
    if (!('path' in source) || this.read(node, source) !== undefined) return undefined
    if (this.valueOf(node, source.path) === undefined) return source.path
    return source.before && this.openPath(node, source.before)
  }

  /** The value of a path in a node; undefined if the node leaves it open. */
  valueOf(node: Node, key: string): Value | undefined {
    const head = headOf(key)
    const known = node.values.get(key)
    if (head === 'input' || key.includes(' ')) return known
    const field = key.split('.')[1] ?? ''
    if (field === 'shipmentUid' && node.roles.has(head)) return other
    const step = this.#outputs.get(head)
    if (step === undefined)
      return node.roles.has(head) ? other : (known ?? (this.#items.has(head) ? undefined : absent))
    if (field === 'round') return known
    const result = node.results.get(head) ?? '!'
    if (result.startsWith('error:')) {
      const code = result.slice('error:'.length).replace('+', '')
      if (field === 'error') return code === 'other' ? known : canonicalJson(code)
      return result.endsWith('+') ? known : absent
    }
    if (result === 'done') return field === 'error' && continuesAfter(step) ? absent : known
    const [kind, how = ''] = result.split(':')
    if (kind === 'ended' || kind === 'first') return field === kind ? canonicalJson(how) : known
    const given = answerIn(step, result)
    if (given === undefined) return absent
    if (field === 'answer') return canonicalJson(given.answer)
    return given.fields.includes(field) ? known : absent
  }
}

/** The node after a step with this result. */
export function withResult(node: Node, step: Step, result: string): Node {
  return hasOutput(step) || isRun(step) ? { ...node, results: new Map(node.results).set(step.name, result) } : node
}

/** The node after a step that is done. */
export function withDone(node: Node, step: Step): Node {
  return withResult(node, step, 'done')
}
