import { posix } from 'node:path'
import type { Graph } from './cycles.ts'
import type { SourceFile } from './sources.ts'

/** The doors and packages that each part of the project may import; `x/*` stands for everything below a package. */
export type ImportTable = Readonly<Record<string, readonly string[]>>

/** The doors of package.json: from `#contract` to `contract/index.ts`. */
export type Doors = ReadonlyMap<string, string>

export interface ImportRulesOptions {
  /** Allowed at run time. A part may import types from there, too. */
  readonly table: ImportTable
  /** Allowed for type imports only. */
  readonly types: ImportTable
  readonly doors: Doors
  /** Files that belong to another part than that of their folder: the part by a pattern of their paths. */
  readonly members?: ReadonlyMap<RegExp, string>
}

/** Checks source files against the import table. */
export class ImportRules {
  readonly #table: ImportTable
  readonly #types: ImportTable
  readonly #doors: Doors
  readonly #members: ReadonlyMap<RegExp, string>

  constructor({ table, types, doors, members = new Map() }: ImportRulesOptions) {
    this.#table = table
    this.#types = types
    this.#doors = doors
    this.#members = members
  }

  /** Returns one sentence for each import that the table does not allow. */
  violations(files: readonly SourceFile[]): string[] {
    const paths = new Set(files.map(file => file.path))
    const sentences = (path: string, specifiers: readonly (string | undefined)[], types: boolean) =>
      specifiers.flatMap(specifier => {
        const objection = this.#objectionTo(path, specifier, paths, types)
        return objection ? [`${path} imports ${types ? 'types of ' : ''}${objection}`] : []
      })
    return files.flatMap(({ path, imports, typeImports }) => [
      ...sentences(path, imports, false),
      ...sentences(path, typeImports, true),
    ])
  }

  /** The part of the project that a file belongs to: the longest row of the table that contains it. */
  partOf(path: string): string | undefined {
    const [, member] = [...this.#members].find(([pattern]) => pattern.test(path)) ?? []
    if (member !== undefined) return member
    return Object.keys(this.#table)
      .filter(part => path === `${part}.ts` || path.startsWith(`${part}/`))
      .toSorted((a, b) => b.length - a.length)[0]
  }

  /** Which file imports which, types included. */
  fileGraph(files: readonly SourceFile[]): Graph {
    return new Map(
      files.map(({ path, imports, typeImports }) => [
        path,
        [...imports, ...typeImports].flatMap(specifier => this.#fileOf(path, specifier) ?? []),
      ]),
    )
  }

  /**
   * Which folder imports which, types included. A file that lies beside subfolders counts for itself: the ground floor
   * of a folder and its door lie side by side, below and above the subfolders.
   */
  folderGraph(files: readonly SourceFile[]): Graph {
    const parents = new Set(files.map(({ path }) => posix.dirname(posix.dirname(path))))
    const nodeOf = (path: string) => (parents.has(posix.dirname(path)) ? path : posix.dirname(path))
    const graph = new Map<string, string[]>()
    for (const [path, targets] of this.fileGraph(files)) {
      const from = nodeOf(path)
      const others = targets.map(nodeOf).filter(node => node !== from)
      graph.set(from, [...(graph.get(from) ?? []), ...others])
    }
    return graph
  }

  /** Which part may import which other, by both tables alone. */
  tableGraph(): Graph {
    return new Map(
      Object.keys(this.#table).map(part => [
        part,
        [...(this.#table[part] ?? []), ...(this.#types[part] ?? [])]
          .flatMap(entry => this.partOf(this.#doors.get(entry) ?? '') ?? [])
          .filter(other => other !== part),
      ]),
    )
  }

  #objectionTo(
    path: string,
    specifier: string | undefined,
    paths: ReadonlySet<string>,
    types: boolean,
  ): string | undefined {
    const part = this.partOf(path)
    if (part === undefined) return 'something, and the table has no row for it'
    if (specifier === undefined) return 'a computed specifier'
    if (specifier.startsWith('.')) return this.#objectionToRelative(path, part, specifier, paths, types)
    if (specifier.startsWith('#') && !this.#doors.has(specifier))
      return `${specifier}, which is not a door of package.json`
    return this.#allows(part, specifier, types) ? undefined : `${specifier}, which ${part} may not`
  }

  #objectionToRelative(
    path: string,
    part: string,
    specifier: string,
    paths: ReadonlySet<string>,
    types: boolean,
  ): string | undefined {
    const target = posix.join(posix.dirname(path), specifier)
    if (topOf(target) !== topOf(path)) return `${specifier}: into another folder only through its door`
    if (!paths.has(target)) return `${specifier}, a file that does not exist`
    if (this.partOf(target) === part) return undefined
    const [door] = [...this.#doors].find(([, file]) => file === target) ?? []
    if (door === undefined) return `${specifier}, past the door of ${this.partOf(target)}`
    return this.#allows(part, door, types) ? undefined : `${specifier}, which is ${door}, which ${part} may not`
  }

  #allows(part: string, specifier: string, types: boolean): boolean {
    const allowed = [...(this.#table[part] ?? []), ...(types ? (this.#types[part] ?? []) : [])]
    return allowed.some(entry => (entry.endsWith('*') ? specifier.startsWith(entry.slice(0, -1)) : specifier === entry))
  }

  #fileOf(path: string, specifier: string | undefined): string | undefined {
    if (specifier?.startsWith('.')) return posix.join(posix.dirname(path), specifier)
    return this.#doors.get(specifier ?? '')
  }
}

function topOf(path: string): string | undefined {
  return path.split('/')[0]
}
