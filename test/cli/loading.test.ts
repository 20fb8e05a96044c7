import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { verbs } from '../../cli/verbs/index.ts'
import { root } from '../project/sources.ts'

/** The groups whose verbs talk to running parts. */
const groups = ['flow', 'flows', 'profiles', 'clock', 'requests']
const single = ['call', 'capabilities', 'login', 'seed', 'simulate', 'simulate journey', 'callbacks listen', 'sweep']

/** Packages that processes run on, and that no verb needs for their settings. */
const packagesOfProcesses = /\/node_modules\/(@temporalio\/worker|fastify|jose|kysely|pg)\//

/** The parts that run as processes of their own. Each takes a second to load. */
const processes = /^(service|gateway|worker)\//

const program = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  const { verbs } = await import('./cli/verbs/index.ts')
  const names = JSON.parse(process.argv[1])
  for (const verb of verbs) if (names.includes(verb.name)) await verb.load()
  console.log(JSON.stringify(loaded))
`

/** Prints what a program loads, as its last line of standard error. */
const record = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.once('exit', () => process.stderr.write('\\n' + JSON.stringify(loaded)))
`

test('a check of the settings loads no process', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`--import=data:text/javascript,${encodeURIComponent(record)}`, 'cli/lockerflow.ts', 'check', '--json'],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: root,
        LOCKERFLOW_FLOWS: 'test/support/flows/parcelReturn/parcelReturn.yaml',
        LOCKERFLOW_CALENDARS: 'test/support/flows/parcelReturn/calendars.yaml',
      },
    },
  )
  expect([status, JSON.parse(stdout)]).toEqual([0, { processes: ['service', 'gateway', 'worker'], findings: [] }])
  const urls = JSON.parse(stderr.split('\n').at(-1) ?? '') as string[]
  expect(urls).toContainEqual(expect.stringContaining('/flows/check/load.ts'))
  expect(urls.filter(url => packagesOfProcesses.test(url))).toEqual([])
})

test('the doctor loads no process', () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program, '["doctor"]'], {
    cwd: root,
    encoding: 'utf8',
  })
  const urls = JSON.parse(printed) as string[]
  expect(urls).toContainEqual(expect.stringContaining('/cli/doctor/actions.ts'))
  expect(urls.filter(url => packagesOfProcesses.test(url))).toEqual([])
})

test('verbs that talk to running parts load none of them', () => {
  const names = verbs.map(({ name }) => name).filter(name => groups.includes(name.split(' ')[0] ?? ''))
  expect(names.length).toBeGreaterThanOrEqual(20)
  const printed = execFileSync(
    process.execPath,
    ['--input-type=module', '-e', program, JSON.stringify([...names, ...single])],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  const paths = (JSON.parse(printed) as string[]).map(url => url.slice(`file://${root}/`.length))
  expect(paths).toContain('client/index.ts')
  expect(paths.filter(path => processes.test(path))).toEqual([])
})
