import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { argv } from 'node:process'
import { parseArgs, promisify } from 'node:util'

/** The licences that the packages in the image may have: each permits use in a closed network without conditions on ours. */
const accepted: ReadonlySet<string> = new Set([
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  '0BSD',
  'Unlicense',
])

/** Packages whose lockfile entry names no licence, with that of their file LICENSE. */
const licencesOfFiles: Readonly<Record<string, string>> = { unionfs: 'Unlicense' }

/** A package of a CycloneDX document. */
export interface Component {
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
  readonly name: string
  readonly version: string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses?: readonly { readonly license?: { readonly id?: string }; readonly expression?: string }[]
}

interface Bom {
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
  readonly metadata: { readonly component: { name: string; version: string } }
  readonly components: readonly Component[]
}

const root = join(import.meta.dirname, '..')
const maxBytes = 50_000_000

if (import.meta.main) {
  try {
    const { values } = parseArgs({ args: argv.slice(2), options: { out: { type: 'string', default: 'sbom' } } })
    console.log(await writeSbom(values.out))
  } catch (error) {
    console.error(`sbom: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

/**
 * Writes `sbom.cdx.json` (CycloneDX) and `licences.md` of the packages in the image into a folder, from the lockfile.
 * @throws Error when the licence of a package is unknown or not accepted
 */
async function writeSbom(folder: string): Promise<string> {
  // npm reads the lockfile only, so neither the registry nor the installed packages matter.
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--offline']
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: maxBytes })
  const bom = withoutDevelopment(JSON.parse(stdout))
  // npm takes the name of the folder.
  bom.metadata.component.name = 'lockerflow'
  const problems = bom.components.flatMap(component => licenceProblem(component) ?? [])
  if (problems.length > 0) throw new Error(problems.join('\n'))
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bom, undefined, 2)}\n`)
  await writeFile(join(folder, 'licences.md'), formatLicences(bom.components))
  return `${bom.components.length} packages: ${join(folder, 'sbom.cdx.json')}, ${join(folder, 'licences.md')}`
}

/**
 * Leaves out development packages and the packages that this repository publishes. With `--omit dev`, npm 11 leaves out
 * packages that a development package needs too.
 */
function withoutDevelopment(bom: Bom): Bom {
  const isLeftOut = ({ 'bom-ref': ref, properties = [] }: Component) =>
    /^(@lockerflow\/|lockerflow@)/.test(ref) ||
    properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
  const left = new Set(bom.components.filter(isLeftOut).map(component => component['bom-ref']))
  return {
    ...bom,
    components: bom.components.filter(component => !left.has(component['bom-ref'])),
    dependencies: bom.dependencies
      .filter(({ ref }) => !left.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(other => !left.has(other)) })),
  }
}

/** The SPDX expression of a package's licence; empty if it is unknown. */
function licenceOf({ name, licenses = [] }: Component): string {
  const [declared] = licenses
  return declared?.expression ?? declared?.license?.id ?? licencesOfFiles[name] ?? ''
}

/** Returns a sentence about a licence that is unknown or not accepted. One of several alternatives (OR) suffices. */
export function licenceProblem(component: Component): string | undefined {
  const licence = licenceOf(component)
  const alternatives = licence.replace(/[()]/g, '').split(' OR ')
  if (alternatives.some(alternative => alternative.split(' AND ').every(id => accepted.has(id)))) return undefined
  return `${component.name} ${component.version}: must have an accepted licence, got ${licence || 'none'}.`
}

function formatLicences(components: readonly Component[]): string {
  const rows = components.map(component => `| ${component.name} | ${component.version} | ${licenceOf(component)} |`)
  return ['# Licences', '', '| package | version | licence |', '|---|---|---|', ...rows.sort(), ''].join('\n')
}
