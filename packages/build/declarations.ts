import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Plugin, rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { writeOperationTypes } from './operationTypes.ts'
import { isExternal, type PackageSource, root } from './rolldown.config.ts'

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** The declarations of source files, each in a file of its own. */
export interface EmittedTypes {
  readonly folder: string
  /** The types of the operations for packages without zod. */
  readonly operationTypes: string
  remove(): Promise<void>
}

/** Writes the declarations of the entries and of everything that they import. `npm run types` checks the sources. */
export async function emitTypes(entries: readonly string[]): Promise<EmittedTypes> {
  const cache = join(root, 'node_modules', '.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'types-'))
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      noCheck: true,
      stripInternal: true,
      outDir: folder,
      rootDir: root,
      typeRoots: [join(root, 'node_modules', '@types')],
    },
    include: [],
    files: entries.map(entry => join(root, entry)),
  }
  const file = join(folder, 'tsconfig.json')
  await writeFile(file, JSON.stringify(config))
  // The compiler prints its faults to standard output, which the message of `execFile` does not have.
  await promisify(execFile)(process.execPath, [tsc, '-p', file], { cwd: root }).catch(({ stdout, message }) => {
    throw new Error(`The types of the packages are not written: ${stdout || message}`)
  })
  const operationTypes = join(folder, 'operations.d.ts')
  await writeFile(operationTypes, writeOperationTypes())
  return { folder, operationTypes, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Bundles the declarations of a package, one file for each entry and one for what several share. */
export async function bundleTypes(
  { folder, entries, plainTypes, small }: PackageSource,
  types: EmittedTypes,
): Promise<void> {
  const input = Object.entries(entries).map(([name, file]) => [name, join(types.folder, toDeclaration(file))])
  const bundle = await rolldown({
    input: Object.fromEntries(input),
    external: isExternal,
    experimental: { attachDebugInfo: 'none' },
    plugins: [
      await resolveTypes(types, plainTypes ? { '#contract': types.operationTypes } : {}),
      withoutSentences,
      ...(small ? [withoutModifiers, namesOnly] : []),
      dts({ dtsInput: true, tsconfig: false }),
      layOut(small === true),
    ],
  })
  const { output } = await bundle.write({
    dir: join(root, folder, 'dist'),
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'types/[name].d.ts',
  })
  await bundle.close()
  if (output.length === 0) throw new Error(`${folder}: must have declarations.`)
}

/** Finds the declarations of doors and of files. Declarations name the sources that they come from. */
async function resolveTypes({ folder }: EmittedTypes, instead: Readonly<Record<string, string>>): Promise<Plugin> {
  const { imports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return {
    name: 'resolve-types',
    resolveId: {
      order: 'pre',
      handler(id, importer) {
        if (id in instead) return instead[id]
        if (id.startsWith('#')) return join(folder, toDeclaration(imports[id]))
        return id.startsWith('.') && importer ? resolve(dirname(importer), toDeclaration(id)) : undefined
      },
    },
  }
}

/** Types need the codes of errors and the names in flows. Their sentences are in the code. */
const withoutSentences: Plugin = {
  name: 'without-sentences',
  transform: {
    order: 'pre',
    filter: { id: /(contract[\\/]terms[\\/]errors|[\\/]flows[\\/].+)\.d\.ts$/ },
    handler: code =>
      code
        .replace(/\{\s+readonly status: \d+;\s+readonly meaning: .*;\s+\}/g, '{}')
        .replace(/readonly summary: (["']).*\1;/g, 'readonly summary: string;'),
  },
}

/** Without `readonly`, the types of these constants still have their values, and are a fifth smaller. */
const withoutModifiers: Plugin = {
  name: 'without-modifiers',
  transform: {
    order: 'pre',
    filter: { id: /([\\/]flows[\\/](catalogue|bookings)|contract[\\/]terms[\\/](errors|shipments))\.d\.ts$/ },
    handler: code => code.replace(/\breadonly summary: string;\s*/g, '').replace(/\breadonly (?=['\w])/g, ''),
  },
}

/** Constants of which a small package needs the names only. */
const namesOnly: Plugin = {
  name: 'names-only',
  transform: {
    order: 'pre',
    filter: { id: /(contract[\\/]terms[\\/](errors|shipments|time)|[\\/]flows[\\/]bookings)\.d\.ts$/ },
    handler: code =>
      code
        .replace(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*(?=export declare const )/g, '')
        .replace(/(?<=: )\{(\s+final: \w+;\s+holdsItem: \w+;\s+)?\}/g, '0')
        .replace(/(?<=: )\{\s+initialState: ([^{}]|\{[^{}]*\})*\}/g, '0'),
  },
}

/** Indents by tabs, or leaves out the indentation and the blanks around types, a seventh of the size of declarations. */
function layOut(isSmall: boolean): Plugin {
  return {
    name: 'lay-out',
    renderChunk(code) {
      const indented = code.replace(/^(?: {2})+/gm, spaces => (isSmall ? '' : '\t'.repeat(spaces.length / 2)))
      return isSmall ? withoutSemicolons(withoutBlanks(indented)) : indented
    },
  }
}

/** Texts and comments stay. */
function withoutBlanks(code: string): string {
  return code.replace(/^(?! ?[/*]).*$/gm, line =>
    line
      .split(/('[^']*'|"[^"]*"|`[^`]*`)/)
      .map((part, index) => (index % 2 === 1 ? part : part.replace(/ *([|&=?:,()[\]{}]) */g, '$1')))
      .join(''),
  )
}

/** The end of a line ends a member and a statement too, unless the next line begins with a bracket. */
function withoutSemicolons(code: string): string {
  return code.replace(/^(?! ?[/*])(.*);\n(?=[\w'"}/])/gm, '$1\n')
}

function toDeclaration(file: string): string {
  return file.replace(/(?<!\.d)\.(ts|js)$/, '.d.ts')
}
