import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'

/** What a source file does when it is loaded, its types erased. */
export type SourceFile = {
  /** From the root of the project, with slashes. */
  path: string
  text: string
  /** What it imports at run time; `undefined` where that is computed. */
  imports: readonly (string | undefined)[]
  readsEnvironment: boolean
  exportsDefault: boolean
  /** `export * from`, which does not say what it exports. */
  exportsUnnamed: boolean
}

export type Node = { type: string; [key: string]: unknown }

/** The root of the project. */
export const root = join(import.meta.dirname, '..', '..')

/** Reads all TypeScript files below a folder of the project. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(entry => join(entry.parentPath, entry.name))
    .map(file => sourceOf(file.slice(root.length + 1).replaceAll('\\', '/'), readFileSync(file, 'utf8')))
}

/** Reads one file's text as Node would run it. */
export function sourceOf(path: string, text: string): SourceFile {
  // Erased first: what is imported as a type only is no import at run time.
  const nodes = [...walk(parseAst(stripTypeScriptTypes(text)))]
  return {
    path,
    text,
    imports: nodes.flatMap(importOf),
    readsEnvironment: nodes.some(isEnvironment),
    exportsDefault: nodes.some(node => node.type === 'ExportDefaultDeclaration' || exportsAsDefault(node)),
    exportsUnnamed: nodes.some(node => node.type === 'ExportAllDeclaration' && node.exported === null),
  }
}

/** A part of a syntax tree and all below it. */
export function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item)
  if (!isNode(value)) return
  yield value
  for (const part of Object.values(value)) yield* walk(part)
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

const importing = new Set(['ImportDeclaration', 'ImportExpression', 'ExportAllDeclaration', 'ExportNamedDeclaration'])

function importOf(node: Node): (string | undefined)[] {
  if (!importing.has(node.type) || !isNode(node.source)) return []
  return [typeof node.source.value === 'string' ? node.source.value : undefined]
}

function isEnvironment(node: Node): boolean {
  if (node.type === 'MemberExpression') return nameOf(node.property) === 'env' && nameOf(node.object) === 'process'
  if (node.type === 'VariableDeclarator') return nameOf(node.init) === 'process' && takesEnv(node.id)
  return node.type === 'ImportDeclaration' && /^(node:)?process$/.test(String(nameOf(node.source))) && takesEnv(node)
}

function takesEnv(node: unknown): boolean {
  return [...walk(node)].some(part => nameOf(part.key) === 'env' || nameOf(part.imported) === 'env')
}

function exportsAsDefault(node: Node): boolean {
  return node.type === 'ExportSpecifier' && nameOf(node.exported) === 'default'
}

// Of `process`, `globalThis.process` and `globalThis['process']` alike: process.
function nameOf(value: unknown): unknown {
  if (!isNode(value)) return undefined
  return value.type === 'MemberExpression' ? nameOf(value.property) : (value.name ?? value.value)
}
