import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../project/sources.ts'
import { findActionlint } from '../support/examples/actionlint.ts'

interface Step {
  readonly id?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Workflow {
  readonly jobs: Readonly<Record<string, Job>>
}

interface Job {
  readonly if?: string
  readonly needs?: readonly string[]
  readonly outputs?: Readonly<Record<string, string>>
  readonly permissions?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

const folder = join(root, '.github', 'workflows')
const files = readdirSync(folder)
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

function jobsOf(file: string): Job[] {
  const { jobs }: Workflow = parse(readFileSync(join(folder, file), 'utf8'))
  return Object.values(jobs)
}

function stepsOf(file: string): Step[] {
  return jobsOf(file).flatMap(job => job.steps)
}

/** The commands of a workflow, by line. */
function commandsOf(file: string): string[] {
  return stepsOf(file)
    .flatMap(({ run = '' }) => run.split('\n'))
    .filter(line => line.trim() !== '')
}

/** The script of `package.json` or the file that a command runs exists. */
function exists(command: string): boolean {
  const [, script] = /^npm (?:run )?([a-z:]+)/.exec(command) ?? []
  if (script !== undefined) return script in scripts
  const [, path] = /^bash (\S+)/.exec(command) ?? []
  return path !== undefined && existsSync(join(root, path))
}

test.each(files)('%s runs all tests, and scripts that exist', file => {
  const commands = commandsOf(file)
  expect(commands).toContain('npm run test:all')
  expect(commands.filter(command => !exists(command))).toEqual([])
})

test('each push runs .ci/run, and each night everything', () => {
  expect(commandsOf('ci.yml')).toContain('bash .ci/run')
  const nightly = jobsOf('ci.yml').find(({ steps }) => steps.some(({ run }) => run === 'npm run test:all'))
  expect(nightly?.if).toBe("github.event_name == 'schedule'")
})

test('the workflows pass actionlint', async context => {
  const actionlint = await findActionlint(line => console.error(line))
  if (actionlint === undefined) context.skip('the PATH has no go')
  else {
    const paths = files.map(file => join(folder, file))
    expect(await promisify(execFile)(actionlint, paths)).toMatchObject({ stdout: '' })
  }
})

test('only the workflow of releases may upload, and signs the provenance', () => {
  const permissions = files.map(file => [file, readFileSync(join(folder, file), 'utf8').includes('id-token: write')])
  expect(Object.fromEntries(permissions)).toEqual({ 'ci.yml': false, 'release.yml': true })
  expect(commandsOf('ci.yml')).toContain('npm run release -- --dry-run')
  expect(commandsOf('release.yml')).toContain('npm run release')
})

describe('the job that may upload', () => {
  const [uploading, ...others] = jobsOf('release.yml').filter(job => job.permissions?.['id-token'] === 'write')

  test('runs no tests, installs nothing and builds nothing', () => {
    expect(others).toEqual([])
    expect(uploading?.steps.flatMap(({ run }) => run ?? [])).toEqual([
      'bash packages/build/upload.sh .lockerflow/release "$CHECKSUMS"',
    ])
    const actions = uploading?.steps.flatMap(({ uses = '' }) => /^actions\/([a-z-]+)/.exec(uses)?.[1] ?? [])
    expect(actions).toEqual(['checkout', 'setup-node', 'download-artifact'])
  })

  test('runs on main, after the tests and the build', () => {
    expect(uploading).toMatchObject({ if: "github.ref == 'refs/heads/main'", needs: ['test', 'build'] })
  })

  test('compares the files with the sum that the build gave it', () => {
    const [build] = jobsOf('release.yml').filter(({ outputs }) => outputs !== undefined)
    expect(build?.outputs?.checksums).toMatch(/^\$\{\{ steps\.release\.outputs\.checksums \}\}$/)
    expect(build?.steps.find(({ id }) => id === 'release')?.run).toBe('npm run release')
    expect(uploading?.steps.at(-1)?.env?.CHECKSUMS).toMatch(/^\$\{\{ needs\.build\.outputs\.checksums \}\}$/)
  })
})

test.each(files)('the actions of %s are pinned by commit, and leave no credentials in the clone', file => {
  const actions = stepsOf(file).filter(({ uses }) => uses !== undefined)
  for (const { uses } of actions) expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/)
  const checkout = actions.find(({ uses }) => uses?.startsWith('actions/checkout@'))
  expect(checkout?.with).toMatchObject({ 'persist-credentials': false })
})
