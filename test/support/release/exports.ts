import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packages } from '../../../packages/build/rolldown.config.ts'
import { root } from '../../project/sources.ts'

/** A name that an entry of a package exports. */
export interface EntryExport {
  /** The source of the entry, relative to the root. */
  readonly entry: string
  readonly name: string
  readonly isType: boolean
  /** The docstring of its declaration without the frame; undefined without one. */
  readonly docstring: string | undefined
}

export interface Module {
  /** Relative to the root. */
  readonly path: string
  readonly text: string
}

/**
 * Reads all names that the packages export, each once per entry.
 * @param modules the modules that declare them
 */
export function readExports(modules: readonly Module[]): EntryExport[] {
  return findEntries().flatMap(entry =>
    readNames(entry).map(({ declared, name, isType, folder }) => {
      // A name may stand in several folders.
      const near = modules.filter(({ path }) => path.startsWith(folder))
      return { entry, name, isType, docstring: findDocstring(declared, isType, [...near, ...modules]) }
    }),
  )
}

/** The TypeScript examples of a docstring. */
export function readExamples(docstring: string): string[] {
  return Array.from(docstring.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code)
}

/** The texts of all docstrings of a module, without their frames. */
export function readDocstrings(text: string): string[] {
  return Array.from(text.matchAll(/\/\*\*((?:[^*]|\*(?!\/))*)\*\//g), ([, framed = '']) => unframe(framed))
}

function findEntries(): string[] {
  const files = Object.values(packages).flatMap(({ entries }) => Object.values<string>(entries))
  return [...new Set(files.filter(file => file.endsWith('.ts')))]
}

interface ExportedName {
  readonly declared: string
  readonly name: string
  readonly isType: boolean
  /** The folder that the entry exports it from. */
  readonly folder: string
}

function readNames(entry: string): ExportedName[] {
  const text = readFileSync(join(root, entry), 'utf8')
  return Array.from(text.matchAll(/^export (type )?\{([^}]*)\} from '([^']+)'/gm)).flatMap(
    ([, typesOnly, list = '', from = '']) =>
      Array.from(list.matchAll(/(type )?(\w+)(?: as (\w+))?/g), ([, type, declared = '', name = declared]) => {
        const folder = from.startsWith('#') ? `${from.slice(1)}/` : `${dirname(entry)}/`
        return { declared, name, isType: (typesOnly ?? type) !== undefined, folder }
      }),
  )
}

function findDocstring(name: string, isType: boolean, modules: readonly Module[]): string | undefined {
  const kinds = isType ? 'class|interface|type' : 'function|const|class'
  const declaration = new RegExp(
    `/\\*\\*((?:[^*]|\\*(?!/))*)\\*/\\nexport (?:abstract |async )*(?:${kinds}) ${name}\\b`,
  )
  const found = modules.map(({ text }) => declaration.exec(text)?.[1]).find(text => text !== undefined)
  return found === undefined ? undefined : unframe(found)
}

function unframe(framed: string): string {
  return framed.replaceAll(/^\s*\* ?/gm, '').trim()
}
