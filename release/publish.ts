import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { buildPackages } from './build.ts'
import { root } from './catalogue.ts'
import { packPackages, type Tarball } from './pack.ts'
import { findChangedSurfaces } from './surface.ts'

const run = promisify(execFile)
const binaries = join(root, 'node_modules', '.bin')

/** The dependencies of a package are published before it. */
const order = ['@lockerflow/api', '@lockerflow/client', 'lockerflow', '@lockerflow/testing']

try {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      out: { type: 'string', default: '.lockerflow/release' },
    },
  })
  if (values.version) await setVersions()
  else await release(resolve(values.out), values['dry-run'])
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

/** Applies the changesets: versions, changelogs and the lockfile. The result is committed by hand. */
async function setVersions(): Promise<void> {
  await run(process.execPath, [join(binaries, 'changeset'), 'version'], { cwd: root })
  const { version } = readManifest('packages/lockerflow')
  const manifest = { ...readManifest('.'), version }
  writeFileSync(join(root, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root })
  console.log(`release: version ${version}. Review the changelogs, commit, and run the workflow of releases.`)
}

/** Builds, checks and describes the packages, and uploads them unless it is a dry run. */
async function release(out: string, dryRun: boolean): Promise<void> {
  const pending = readdirSync(join(root, '.changeset')).filter(file => /^(?!README).+\.md$/.test(file))
  if (pending.length > 0) {
    const sentence = `.changeset must have no pending changes, and has ${pending.join(', ')}. Run npm run release -- --version, and commit.`
    if (!dryRun) throw new Error(sentence)
    console.log(`release: ${sentence}`)
  }
  await step('build', buildPackages)
  await step('public surface', async () => {
    const changed = findChangedSurfaces()
    if (changed.length > 0) throw new Error(changed.join('\n'))
  })
  const tarballs = await step('pack', () => packPackages(out))
  await step('publint, arethetypeswrong', () => Promise.all(tarballs.map(check)))
  await step('SBOM and licences', () => run(process.execPath, [join(root, 'cli', 'sbom.ts'), '--out', out]))
  await step('checksums', async () => writeChecksums(out))
  // npm signs the provenance with the identity of the workflow, so only the workflow of releases has one.
  const options = ['--access', 'public', ...(dryRun ? ['--dry-run'] : ['--provenance'])]
  for (const name of order) {
    const { file = '' } = tarballs.find(tarball => tarball.name === name) ?? {}
    await step(dryRun ? `npm publish --dry-run ${name}` : `npm publish ${name}`, () =>
      run('npm', ['publish', file, '--ignore-scripts', ...options], { cwd: out }),
    )
  }
  console.log(`release: ${dryRun ? 'all but the upload is done' : 'published'}: ${out}`)
}

async function check({ file }: Tarball): Promise<void> {
  await run(process.execPath, [join(binaries, 'publint'), file, '--strict'])
  await run(process.execPath, [join(binaries, 'attw'), file, '--profile', 'esm-only'])
}

function writeChecksums(out: string): void {
  const files = readdirSync(out).filter(file => /\.(tgz|json|md)$/.test(file))
  const lines = files.toSorted().map(file => {
    const digest = createHash('sha256')
      .update(readFileSync(join(out, file)))
      .digest('hex')
    return `${digest}  ${basename(file)}`
  })
  writeFileSync(join(out, 'SHA256SUMS'), `${lines.join('\n')}\n`)
}

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  const result = await work()
  console.log(`release: ${name} (${((performance.now() - start) / 1_000).toFixed(1)} s)`)
  return result
}

function readManifest(folder: string): { version: string } {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}
