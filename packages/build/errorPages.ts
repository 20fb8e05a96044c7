import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type PackageSource, root } from './rolldown.config.ts'

/** The page of all codes. Messages of the source tree end with its path, which one constant contains. */
const sourcePage = 'docs/reference/errors.md'

/** The page of the faults of declarations, which the package of the command has. */
const sourceFaultsPage = 'docs/reference/declaration-faults.md'

/** In a text, alone or before the anchor that a minifier has joined to it. */
const named = /docs\/reference\/(errors|declaration-faults)\.md(?=[#'"`])/g

/**
 * The address of the page in the messages of a package: below the `homepage` of its manifest, or without one the file in
 * the installed package.
 */
function toPageAddress({ folder, errorPage }: PackageSource, page: string): string {
  const { homepage }: { homepage?: string } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  if (homepage !== undefined) return `${homepage.replace(/\/+$/, '')}/${page}`
  return `node_modules/${errorPage.of}/${basename(page)}`
}

/** Writes the addresses of the pages into built files. @throws Error if none of them has one */
export function nameErrorPages(source: PackageSource, files: string): void {
  const dist = join(root, source.folder, 'dist')
  const changedFiles = globSync(files, { cwd: dist }).filter(file => {
    const code = readFileSync(join(dist, file), 'utf8')
    const changed = code.replace(named, page => toPageAddress(source, page))
    if (changed !== code) writeFileSync(join(dist, file), changed)
    return changed !== code
  })
  if (changedFiles.length === 0)
    throw new Error(`${source.folder}/dist/${files}: must contain the address of the page of errors.`)
}

/** Writes the pages into a package that has them: all codes, or those of its own code. */
export function writeErrorPages(name: string, { folder, errorPage: { of, only }, runs }: PackageSource): void {
  if (of !== name) return
  // The package has no other page of the documentation.
  const page = readFileSync(join(root, sourcePage), 'utf8').replaceAll(/\[([^\]]+)\]\((?!#)[^)]*\)/g, '$1')
  writeFileSync(join(root, folder, 'errors.md'), only === undefined ? page : selectCodes(page, only))
  if (!runs) return
  const faults = readFileSync(join(root, sourceFaultsPage), 'utf8').replaceAll(/\[([^\]]+)\]\(\.\.[^)]*\)/g, '$1')
  writeFileSync(join(root, folder, basename(sourceFaultsPage)), faults)
}

/** The entries of some codes, with a sentence on the others. */
function selectCodes(page: string, codes: readonly string[]): string {
  const entries = codes.map(code => {
    const [entry] = new RegExp(`^### ${code}\\n[\\s\\S]*?(?=\\n+##|$(?![\\s\\S]))`, 'm').exec(page) ?? []
    if (entry === undefined) throw new Error(`${sourcePage}: must have an entry of ${code}.`)
    return entry.trim()
  })
  const about =
    'The codes of the client. Those of flows and of the service are in `errors.md` of the package `lockerflow`.'
  return `# Errors\n\n${about}\n\n${entries.join('\n\n')}\n`
}
