import { readFileSync } from 'node:fs'
import { parseAst } from 'vitest/node'
import { isNode, type Node, walk } from '../../project/sources.ts'

/** A literal of the source. */
export type Literal = string | boolean | Literal[] | { [key: string]: Literal }

export interface MachineSource {
  /** The names in `setup`. */
  readonly guards: readonly string[]
  readonly actions: readonly string[]
  /** The argument of `createMachine`. */
  readonly config: Literal
}

/**
 * Reads `setup({…}).createMachine({…})` from a source file without running it, as Stately's editor does.
 * @throws Error if the file has no such expression, or if a part of the configuration is computed
 */
export function readMachineSource(url: URL): MachineSource {
  const calls = [...walk(parseAst(readFileSync(url, 'utf8'), { lang: 'ts' }))].filter(isCall)
  const create = calls.find(({ callee }) => isNode(callee) && nameOf(callee.property) === 'createMachine')
  const setup = isNode(create?.callee) ? create.callee.object : undefined
  if (!isNode(setup) || !isCall(setup) || nameOf(setup.callee) !== 'setup') {
    throw new Error('There must be one expression setup({…}).createMachine({…}).')
  }
  const options = propertiesOf(argumentOf(setup))
  return {
    guards: [...propertiesOf(options.get('guards')).keys()],
    actions: [...propertiesOf(options.get('actions')).keys()],
    config: literalOf(argumentOf(create)),
  }
}

function isCall(node: Node): boolean {
  return node.type === 'CallExpression'
}

function argumentOf(call: Node | undefined): unknown {
  return Array.isArray(call?.arguments) ? call.arguments[0] : undefined
}

function nameOf(node: unknown): unknown {
  return isNode(node) ? (node.name ?? node.value) : undefined
}

function propertiesOf(node: unknown): ReadonlyMap<string, unknown> {
  if (!isNode(node) || node.type !== 'ObjectExpression') throw new Error('An object literal is expected.')
  return new Map(
    (node.properties as Node[]).map(property => {
      if (property.type !== 'Property' || property.computed) throw new Error(`A ${property.type} is not a literal.`)
      return [String(nameOf(property.key)), property.value]
    }),
  )
}

function literalOf(node: unknown): Literal {
  if (!isNode(node)) throw new Error('A literal is expected.')
  if (node.type === 'Literal' && ['string', 'boolean'].includes(typeof node.value)) return node.value as Literal
  if (node.type === 'ArrayExpression') return (node.elements as unknown[]).map(literalOf)
  if (node.type !== 'ObjectExpression') throw new Error(`A ${node.type} is not a literal.`)
  return Object.fromEntries([...propertiesOf(node)].map(([key, value]) => [key, literalOf(value)]))
}
