import { posix } from 'node:path'
import type { Graph } from './cycles.ts'
import type { SourceFile } from './sources.ts'

/** What each part of the project may import at run time: doors, packages, and `x/*` for all below a package. */
export type ImportTable = Readonly<Record<string, readonly string[]>>

/** The doors of package.json: from `#contract` to `contract/index.ts`. */
export type Doors = ReadonlyMap<string, string>

/** Holds source files against the import table. */
export class ImportRules {
  readonly #table: ImportTable
  readonly #doors: Doors

  constructor(table: ImportTable, doors: Doors) {
    this.#table = table
    this.#doors = doors
  }

  /** What the files import although they may not, a sentence each. */
  violations(files: readonly SourceFile[]): string[] {
    const paths = new Set(files.map(file => file.path))
    return files.flatMap(file => {
      const found = file.imports.map(specifier => this.#objectionTo(file.path, specifier, paths))
      return found.flatMap(objection => (objection ? [`${file.path} imports ${objection}`] : []))
    })
  }

  /** The part of the project that a file belongs to: the longest row of the table that it lies in. */
  partOf(path: string): string | undefined {
    return Object.keys(this.#table)
      .filter(part => path === `${part}.ts` || path.startsWith(`${part}/`))
      .toSorted((a, b) => b.length - a.length)[0]
  }

  /** Which file loads which. */
  fileGraph(files: readonly SourceFile[]): Graph {
    return new Map(
      files.map(({ path, imports }) => [path, imports.flatMap(specifier => this.#fileOf(path, specifier) ?? [])]),
    )
  }

  /** Which part of the project loads which other. */
  partGraph(files: readonly SourceFile[]): Graph {
    const graph = new Map<string, string[]>()
    for (const [path, targets] of this.fileGraph(files)) {
      const from = this.partOf(path) ?? path
      const others = targets.map(target => this.partOf(target) ?? target).filter(part => part !== from)
      graph.set(from, [...(graph.get(from) ?? []), ...others])
    }
    return graph
  }

  /** Which part may load which other, by the table alone. */
  tableGraph(): Graph {
    return new Map(
      Object.entries(this.#table).map(([part, allowed]) => [
        part,
        allowed.flatMap(entry => this.partOf(this.#doors.get(entry) ?? '') ?? []),
      ]),
    )
  }

  #objectionTo(path: string, specifier: string | undefined, paths: ReadonlySet<string>): string | undefined {
    const part = this.partOf(path)
    if (part === undefined) return 'something, and no row of the table is about it'
    if (specifier === undefined) return 'what cannot be read from its source'
    if (specifier.startsWith('.')) return this.#objectionToRelative(path, part, specifier, paths)
    if (specifier.startsWith('#') && !this.#doors.has(specifier))
      return `${specifier}, which is no door of package.json`
    return this.#allows(part, specifier) ? undefined : `${specifier}, which ${part} may not`
  }

  #objectionToRelative(path: string, part: string, specifier: string, paths: ReadonlySet<string>): string | undefined {
    const target = posix.join(posix.dirname(path), specifier)
    if (topOf(target) !== topOf(path)) return `${specifier}: into another folder only through its door`
    if (!paths.has(target)) return `${specifier}, and there is no such file`
    if (this.partOf(target) === part) return undefined
    const [door] = [...this.#doors].find(([, file]) => file === target) ?? []
    if (door === undefined) return `${specifier}, past the door of ${this.partOf(target)}`
    return this.#allows(part, door) ? undefined : `${specifier}, which is ${door}, which ${part} may not`
  }

  #allows(part: string, specifier: string): boolean {
    return (this.#table[part] ?? []).some(entry =>
      entry.endsWith('*') ? specifier.startsWith(entry.slice(0, -1)) : specifier === entry,
    )
  }

  #fileOf(path: string, specifier: string | undefined): string | undefined {
    if (specifier?.startsWith('.')) return posix.join(posix.dirname(path), specifier)
    return this.#doors.get(specifier ?? '')
  }
}

function topOf(path: string): string | undefined {
  return path.split('/')[0]
}
