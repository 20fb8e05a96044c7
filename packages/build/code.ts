import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { isExternal, type PackageSource, root } from './catalogue.ts'
import { nameErrorPages } from './errorPages.ts'
import { addFiles } from './files.ts'
import { workflowFiles } from './workflows.ts'

const entryPrefix = '\0entry:'
const commandName = 'lockerflow'
const commandId = `${entryPrefix}command`
const versionCheck = '\0version-check'
const sqlite = '\0sqlite'

/** Names of functions and classes stay, so that stack traces can be read. */
const small = {
  compress: { keepNames: { function: true, class: true } },
  mangle: { toplevel: true, keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: true },
} as const

/** The program of the installed command `lockerflow`. It loads the one verb that it runs. */
const program = 'cli/lockerflow.ts'

/** Bundles the code of a package, one file for each entry and one for what several share. */
export async function bundleCode(name: string, source: PackageSource): Promise<void> {
  const { folder, entries, node, runs } = source
  const sandboxed = new Set(source.sandboxed)
  const input = Object.entries(entries).map(([entry, file]) => [
    entry,
    sandboxed.has(entry) ? file : entryPrefix + file,
  ])
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries([...input, ...(runs ? [[commandName, commandId]] : [])]),
    external: id => id !== 'node:sqlite' && isExternal(id),
    platform: 'node',
    // Only commands have an effect when they are loaded. The bundle leaves out all other files that no entry uses.
    treeshake: { moduleSideEffects: id => id.startsWith('\0') || isProgram(id), propertyReadSideEffects: false },
    experimental: { attachDebugInfo: 'none' },
    transform: { target: `node${node}` },
    plugins: [
      writeEntries(name, node),
      replaceSources(source.instead),
      nameErrorPages(source),
      ...(runs ? [withoutSqlite, addFiles(workflowFiles)] : []),
    ],
  })
  await bundle.write({
    dir: join(root, folder, 'dist'),
    format: 'esm',
    chunkFileNames: 'code/[name]-[hash].js',
    // A file of its own runs before the packages that an entry imports, which may fail on an older Node.
    codeSplitting: { groups: [{ name: 'version-check', test: id => id === versionCheck }] },
    assetFileNames: 'code/[name]-[hash][extname]',
    minify: source.small ? small : false,
    comments: { annotation: true, jsdoc: false, legal: true },
    banner: chunk => (chunk.name === commandName ? '#!/usr/bin/env node' : ''),
  })
  await bundle.close()
}

/** Files that act when they are loaded: processes, commands, and the child that reads uploads. */
function isProgram(id: string): boolean {
  const path = id.slice(root.length + 1).replaceAll('\\', '/')
  return /(^|\/)main\.ts$/.test(path) || /^cli\/\w+\.ts$/.test(path)
}

/** Begins each entry with a check of Node's version: `engines` alone is a warning during the installation. */
function writeEntries(name: string, node: string): Plugin {
  return {
    name: 'write-entries',
    resolveId: id => (id.startsWith(entryPrefix) || id === versionCheck ? { id, moduleSideEffects: true } : undefined),
    load(id) {
      if (id === versionCheck) return writeCheck(name, node, 'throw new Error(message)')
      if (!id.startsWith(entryPrefix)) return undefined
      if (id === commandId) return writeCommand(name, node)
      return `import ${JSON.stringify(versionCheck)}\nexport * from ${JSON.stringify(join(root, id.slice(entryPrefix.length)))}\n`
    },
  }
}

/** Loads other code for sources, by their path in the tree. */
function replaceSources(instead: Readonly<Record<string, string>> = {}): Plugin {
  const codes = new Map(Object.entries(instead).map(([path, code]) => [join(root, path), code]))
  return { name: 'replace-sources', load: id => codes.get(id) }
}

/** @param refuse a statement that ends the program with `message` */
function writeCheck(name: string, node: string, refuse: string): string {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return `const [major, minor] = process.versions.node.split('.').map(Number)
const message = \`${name} needs Node ${node.replace(/\.0$/, '')} or later, and this is Node \${process.versions.node}. Install a newer Node from https://nodejs.org.\`
if (major < ${major} || (major === ${major} && minor < ${minor})) ${refuse}
`
}

/** Writes the module of the command. An older Node cannot parse the program, so it is loaded after the check. */
function writeCommand(name: string, node: string): string {
  const check = writeCheck(name, node, 'console.error(message), process.exit(1)')
  return `${check}import(${JSON.stringify(join(root, program))})\n`
}

/** An older Node fails before any code runs if a file imports a module of Node that it lacks. */
const withoutSqlite: Plugin = {
  name: 'without-sqlite',
  resolveId: { order: 'pre', handler: id => (id === 'node:sqlite' ? sqlite : undefined) },
  load: id =>
    id === sqlite
      ? "export const { DatabaseSync, StatementSync } = process.getBuiltinModule?.('node:sqlite') ?? {}\n"
      : undefined,
}
