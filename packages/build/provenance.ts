import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readWorkflow, type Workflow } from './environment.ts'
import type { Tarball } from './pack.ts'
import { packages, root } from './rolldown.config.ts'

const mainBranch = 'refs/heads/main'

/** Where the sources of a release come from. */
export interface Origin {
  /** As the manifests name it; undefined without one. */
  readonly repository: string | undefined
  readonly commit: string
  /** Files differ from the commit. */
  readonly modified: boolean
}

/** @throws Error outside of a clone */
export async function readOrigin(): Promise<Origin> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: root })).stdout.trim()
  const [commit, changes] = await Promise.all([git('rev-parse', 'HEAD'), git('status', '--porcelain')])
  return { repository: readRepositories()[0], commit, modified: changes !== '' }
}

/**
 * Writes the provenance of the tarballs as an in-toto statement with a SLSA predicate. It has no signature: npm makes and
 * signs one for each package during the upload, with the identity of the workflow.
 */
export function writeProvenance(out: string, tarballs: readonly Tarball[], origin: Origin): void {
  const file = join(out, 'provenance.json')
  writeFileSync(file, `${JSON.stringify(describeProvenance(tarballs, origin), undefined, 2)}\n`)
}

export function describeProvenance(tarballs: readonly Tarball[], { repository, commit, modified }: Origin) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lockfile = readFileSync(join(root, 'package-lock.json'))
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: tarballs.map(({ name, file }) => ({
      name: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      digest: { sha512: digestOf(readFileSync(file)) },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://slsa.dev/provenance/v1#local',
        externalParameters: { command: 'npm run release', modified },
        resolvedDependencies: [
          { ...(repository !== undefined && { uri: `git+${repository}` }), digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha512: digestOf(lockfile) } },
        ],
      },
      runDetails: { builder: { id: `node/${process.versions.node}` } },
    },
  }
}

/**
 * Finds what keeps npm from a provenance, which names a commit of main: the registry compares the repository of each manifest
 * with the one of the workflow.
 * @returns sentences
 */
export function findProvenanceFaults({ repository: expected, ref }: Workflow = readWorkflow()): string[] {
  const repositories = readRepositories()
  const wrong = Object.values(packages).filter((_, index) => {
    const found = repositories[index]
    return found === undefined || (expected !== undefined && found !== expected)
  })
  const address = expected === undefined ? '' : `, git+${expected}.git`
  return [
    ...wrong.map(
      ({ folder }) =>
        `${folder}/package.json: repository.url must be the address of the repository${address}. npm compares it with the signed provenance.`,
    ),
    ...(ref === mainBranch
      ? []
      : [
          `A release must be built by the workflow of releases on ${mainBranch}${ref === undefined ? '' : `, and not on ${ref}`}.`,
        ]),
  ]
}

/** The repository of each manifest, without the prefix of git. */
function readRepositories(): (string | undefined)[] {
  return Object.values(packages).map(({ folder }) => {
    const { repository }: { repository?: { url?: string } } = JSON.parse(
      readFileSync(join(root, folder, 'package.json'), 'utf8'),
    )
    return repository?.url?.replace(/^git\+|\.git$/g, '')
  })
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex')
}
