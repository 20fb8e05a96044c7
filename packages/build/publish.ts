import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { buildPackages } from './build.ts'
import { packPackages } from './pack.ts'
import { findProvenanceFaults, readOrigin, writeProvenance } from './provenance.ts'
import { root } from './rolldown.config.ts'
import { writeChecksums, writeJobOutput, writeUploads } from './upload.ts'
import { applyChanges, findPendingChanges, previewChanges } from './versions.ts'

const run = promisify(execFile)

try {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      out: { type: 'string', default: '.lockerflow/release' },
    },
  })
  if (values.version) {
    const version = await applyChanges()
    console.log(`release: version ${version}. Review the changelogs, commit, and run the workflow of releases.`)
  } else await release(resolve(values.out), values['dry-run'])
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

/**
 * Builds, checks and describes the packages. Another job uploads them with `upload.sh`: this one runs the code of many packages,
 * and gets no identity that npm trusts. A dry run accepts what keeps npm from a provenance.
 */
async function release(out: string, dryRun: boolean): Promise<void> {
  const pending = findPendingChanges()
  const faults = [...pending, ...findProvenanceFaults()]
  if (faults.length > 0 && !dryRun) throw new Error(faults.join('\n'))
  for (const fault of faults) console.log(`release: before a release: ${fault}`)
  if (pending.length > 0) {
    const next = await step('versions and changelogs', () => previewChanges(out))
    console.log(`release: the next version is ${next}, and the packages of this run have the present one`)
  }
  await step('build', buildPackages)
  const tarballs = await step('pack, publint, arethetypeswrong', () => packPackages(out))
  await step('SBOM and licences', () => run(process.execPath, [join(root, 'cli', 'sbom.ts'), '--out', out]))
  await step('provenance', async () => writeProvenance(out, tarballs, await readOrigin()))
  for (const { name, file } of tarballs) {
    await step(`npm publish --dry-run ${name}`, () =>
      run('npm', ['publish', file, '--ignore-scripts', '--access', 'public', '--dry-run'], { cwd: out }),
    )
  }
  await step('checksums', async () => {
    writeUploads(out, tarballs)
    writeChecksums(out)
    writeJobOutput(out)
  })
  console.log(`release: all but the upload is done: ${out}`)
}

async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  const result = await work()
  console.log(`release: ${name} (${((performance.now() - start) / 1_000).toFixed(1)} s)`)
  return result
}
