import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { type Operation, operations } from '#contract'
import { mutationFlags } from '../../contract/operations/account/account.ts'
import { placesIn } from '../support/service/validRequest.ts'
import { type Node, readSources, root, walk } from './sources.ts'

/** A file of the service: the names that it reads, and what it imports from where. */
interface Source {
  readonly read: ReadonlySet<string>
  readonly imports: readonly { readonly file: string; readonly names: readonly string[] }[]
  /** The file of each name that a door exports; empty for other files. */
  readonly exports: ReadonlyMap<string, string>
}

/** Fields that a loop over their declaration reads, and the name of that declaration. */
const loops: ReadonlyMap<string, string> = new Map(mutationFlags.map(flag => [flag, 'mutationFlags']))

const handlers = new Map(
  readSources('service/operations').flatMap(({ path, text }) =>
    [...text.matchAll(/^export const (\w+): /gm)].map(([, name = '']) => [name, path] as const),
  ),
)
const sources = new Map<string, Source>()

test.each(Object.values<Operation>(operations).map(operation => ({ name: operation.name, operation })))(
  'every field of a request of $name is read by its handler',
  ({ name, operation }) => {
    const read = namesReadFrom(handlers.get(name) ?? '')
    expect(unread(operation, read)).toEqual([])
  },
)

test('a field that no handler reads is found', () => {
  const read = namesReadFrom(handlers.get('CancelShipment') ?? '')
  expect(read.has('shipmentUid')).toBe(true)
  expect(unread(operations.CancelShipment, read)).toEqual([])
  expect(unread(operations.AddShipmentObject, read)).toContain('changePickUpAccess')
})

function unread(operation: Pick<Operation, 'request'>, read: ReadonlySet<string>): string[] {
  const isRead = (field: string) => read.has(field) || read.has(loops.get(field) ?? field)
  return placesIn(operation)
    .filter(place => !isRead(place.at(-1) ?? ''))
    .map(place => place.join('.'))
}

/** The names that a file and the files behind its imports read. */
function namesReadFrom(path: string): ReadonlySet<string> {
  const names = new Set<string>()
  const visited = new Set<string>()
  const pending = [path]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (visited.has(file)) continue
    visited.add(file)
    const { read, imports } = readSource(file)
    for (const name of read) names.add(name)
    for (const imported of imports) pending.push(...filesOf(imported))
  }
  return names
}

/** Behind a door only the files of the imported names. */
function filesOf({ file, names }: Source['imports'][number]): string[] {
  const { exports } = readSource(file)
  return exports.size === 0 ? [file] : names.flatMap(name => exports.get(name) ?? [])
}

function readSource(path: string): Source {
  const known = sources.get(path)
  if (known !== undefined) return known
  const text = readFileSync(join(root, path), 'utf8')
  const nodes = walk(parseAst(text, { lang: 'ts' }))
  const resolve = (from: unknown) => relative(root, join(root, dirname(path), String(from)))
  const isLocal = (from: unknown) => String(from).startsWith('.')
  const source: Source = {
    read: new Set(nodes.flatMap(namesRead)),
    imports: nodes
      .filter(({ type, source }) => type === 'ImportDeclaration' && isLocal((source as Node).value))
      .map(({ source, specifiers }) => ({
        file: resolve((source as Node).value),
        names: (specifiers as Node[]).map(({ imported }) => String((imported as Node).name)),
      })),
    exports: new Map(
      nodes
        .filter(({ type, source }) => type === 'ExportNamedDeclaration' && source != null)
        .flatMap(({ source, specifiers }) =>
          (specifiers as Node[]).map(
            ({ exported }) => [String((exported as Node).name), resolve((source as Node).value)] as const,
          ),
        ),
    ),
  }
  sources.set(path, source)
  return source
}

/** The keys of an object whose values are the names of columns. */
function keysIn(table: Node): string[] {
  return walk(table)
    .filter(({ type, value }) => type === 'Property' && (value as Node).type === 'Literal')
    .map(({ key }) => String((key as Node).name))
}

/** The member that an expression reads, the keys of a pattern or of a table of columns, and the names of an import. */
function namesRead(node: Node): string[] {
  if (node.type === 'MemberExpression' && node.computed !== true) return [String((node.property as Node).name)]
  if (node.type === 'ImportSpecifier') return [String((node.imported as Node).name)]
  if (node.type === 'VariableDeclarator' && (node.id as Node).name === 'columns') return keysIn(node)
  if (node.type !== 'ObjectPattern') return []
  return (node.properties as Node[]).flatMap(({ key }) => (key === undefined ? [] : [String((key as Node).name)]))
}
