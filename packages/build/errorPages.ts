import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'rolldown'
import { type PackageSource, root } from './catalogue.ts'

/** The page of all codes. Messages of the source tree end with its path, which one constant contains. */
const sourcePage = 'docs/reference/errors.md'

/** The page of the faults of declarations, which the package of the command has. */
const sourceFaultsPage = 'docs/reference/declaration-faults.md'

const quotedPage = /(['"`])docs\/reference\/errors\.md\1/g
const quotedFaultsPage = /(['"`])docs\/reference\/declaration-faults\.md\1/g

/**
 * The address of the page in the messages of a package: below the `homepage` of its manifest, or without one the file in
 * the installed package.
 */
function toPageAddress({ folder, errorPage }: Pick<PackageSource, 'folder' | 'errorPage'>, page = sourcePage): string {
  const { homepage }: { homepage?: string } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  if (homepage !== undefined) return `${homepage.replace(/\/+$/, '')}/${page}`
  return `node_modules/${errorPage.of}/${basename(page)}`
}

/** Replaces the constant in code. @throws Error for code without it */
export function nameErrorPage(code: string, source: Pick<PackageSource, 'folder' | 'errorPage'>): string {
  const named = code.replace(quotedPage, () => JSON.stringify(toPageAddress(source)))
  if (named === code) throw new Error(`${source.folder}: must contain the address of the page of errors.`)
  return named
}

/** Replaces the constant in the module that has it. */
export function nameErrorPages(source: PackageSource): Plugin {
  return {
    name: 'name-error-pages',
    transform: {
      filter: { id: [/contract[\\/]terms[\\/]errors\.ts$/, /flows[\\/]check[\\/]codes\.ts$/] },
      handler: (code, id) => (id.endsWith('codes.ts') ? nameFaultsPage(code, source) : nameErrorPage(code, source)),
    },
  }
}

/** Replaces the constant of the faults in code that has it. */
function nameFaultsPage(code: string, source: PackageSource): string {
  return code.replace(quotedFaultsPage, () => JSON.stringify(toPageAddress(source, sourceFaultsPage)))
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
