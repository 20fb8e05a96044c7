import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'
import { root } from '../project/sources.ts'

type Node = { type: string; [key: string]: unknown }

/** Every describe and test of the project, by `file > describe > test`, titles as the source has them. */
export function readTitles(): Set<string> {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map(file => `test/${file.replaceAll('\\', '/')}`)
    .filter(file => file.endsWith('.test.ts'))
  return new Set(files.flatMap(file => [file, ...titlesOf(readFileSync(join(root, file), 'utf8'), file)]))
}

/** The titles in the source of a test file, each below its groups. */
export function titlesOf(text: string, above: string): string[] {
  return [...below(parseAst(text, { lang: 'ts' }), above)]
}

function* below(value: unknown, above: string): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* below(item, above)
  if (!isNode(value)) return
  const title = titleOf(value)
  const path = title === undefined ? above : `${above} > ${title}`
  if (title !== undefined) yield path
  for (const part of Object.values(value)) yield* below(part, path)
}

/** The title of `test('…')`, `describe.each(rows)('…')` and their like. */
function titleOf(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || !Array.isArray(node.arguments) || !isNode(node.callee)) return
  const [first, second] = node.arguments
  // `test.each(rows)` has no title. The call of its result has.
  if (second === undefined || !isNode(first) || !['test', 'describe'].includes(calleeOf(node.callee))) return
  if (first.type === 'Literal' && typeof first.value === 'string') return first.value
  if (first.type === 'TemplateLiteral') return template(first)
  return first.type === 'Identifier' ? String(first.name) : undefined
}

/** `test` for `test.each(rows)`. Skipped tests do not count. */
function calleeOf(node: Node): string {
  if (isNode(node.property) && ['skip', 'todo'].includes(String(node.property.name))) return 'skipped'
  const inner = node.callee ?? node.object ?? node.tag
  return isNode(inner) ? calleeOf(inner) : String(node.name)
}

/** The text of a template, each expression as `…`. */
function template({ quasis }: Node): string {
  if (!Array.isArray(quasis)) return ''
  return quasis.map(({ value }: { value: { cooked: string } }) => value.cooked).join('…')
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
