import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseAst } from 'vitest/node'

/** A source file and what it imports. */
export interface SourceFile {
  /** Relative to the root of the project, with slashes. */
  readonly path: string
  readonly text: string
  /** Specifiers that are loaded at run time; `undefined` where the specifier is computed. */
  readonly imports: readonly (string | undefined)[]
  /** Specifiers of type imports, which Node erases. */
  readonly typeImports: readonly (string | undefined)[]
  readonly readsEnvironment: boolean
  readonly exportsDefault: boolean
  /** True if it has an `export * from`, which hides the names that it exports. */
  readonly exportsUnnamed: boolean
}

export type Node = { type: string; [key: string]: unknown }

/** The root of the project. */
export const root = join(import.meta.dirname, '..', '..')

/** Reads all TypeScript files below a folder of the project. */
export function readSources(folder: string): SourceFile[] {
  return pathsBelow(folder)
    .filter(path => path.endsWith('.ts'))
    .map(path => sourceOf(path, readFileSync(join(root, path), 'utf8')))
}

/**
 * The files of a folder, relative to the root. Built and installed packages have declarations too, and tests that run at the
 * same time write into hidden folders: a file can be gone before it is read.
 */
function pathsBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = posix.join(folder, entry.name)
    if (entry.isFile()) return [path]
    const isLeftOut = entry.name === 'dist' || entry.name === 'node_modules' || entry.name.startsWith('.')
    return entry.isDirectory() && !isLeftOut ? pathsBelow(path) : []
  })
}

/** Parses the text of one file. */
export function sourceOf(path: string, text: string): SourceFile {
  const nodes = walk(parseAst(text, { lang: 'ts' }))
  return {
    path,
    text,
    imports: nodes.filter(node => !isErased(node)).flatMap(specifierOf),
    typeImports: nodes.filter(isErased).flatMap(specifierOf),
    readsEnvironment: nodes.some(isEnvironment),
    exportsDefault: nodes.some(node => node.type === 'ExportDefaultDeclaration' || exportsAsDefault(node)),
    exportsUnnamed: nodes.some(node => node.type === 'ExportAllDeclaration' && node.exported === null),
  }
}

/** A part of a syntax tree and everything below it. */
export function walk(value: unknown): Node[] {
  const found: Node[] = []
  collect(value, found)
  return found
}

// No generator: one in another for each level of a tree takes three times as long.
function collect(value: unknown, found: Node[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, found)
  if (!isNode(value)) return
  found.push(value)
  for (const part of Object.values(value)) collect(part, found)
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

const importing = new Set([
  'ImportDeclaration',
  'ImportExpression',
  'TSImportType',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
])

function specifierOf(node: Node): (string | undefined)[] {
  if (!importing.has(node.type) || !isNode(node.source)) return []
  return [typeof node.source.value === 'string' ? node.source.value : undefined]
}

// `import { type A } from 'x'` still loads x: Node erases the name and keeps the import.
function isErased(node: Node): boolean {
  return node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type'
}

function isEnvironment(node: Node): boolean {
  if (node.type === 'MemberExpression') return nameOf(node.property) === 'env' && nameOf(node.object) === 'process'
  if (node.type === 'VariableDeclarator') return nameOf(node.init) === 'process' && namesEnv(node.id)
  return node.type === 'ImportDeclaration' && /^(node:)?process$/.test(String(nameOf(node.source))) && namesEnv(node)
}

function namesEnv(node: unknown): boolean {
  return walk(node).some(part => nameOf(part.key) === 'env' || nameOf(part.imported) === 'env')
}

function exportsAsDefault(node: Node): boolean {
  return node.type === 'ExportSpecifier' && nameOf(node.exported) === 'default'
}

// Returns `process` for `process`, `globalThis.process` and `globalThis['process']`.
function nameOf(value: unknown): unknown {
  if (!isNode(value)) return undefined
  return value.type === 'MemberExpression' ? nameOf(value.property) : (value.name ?? value.value)
}
