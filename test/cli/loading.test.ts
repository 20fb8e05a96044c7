import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { verbs } from '../../cli/verbs.ts'
import { root } from '../project/sources.ts'

/** The groups whose verbs talk to running parts. */
const groups = ['flow', 'flows', 'clock', 'requests']
const single = ['call', 'capabilities', 'seed', 'simulate', 'simulate journey', 'callbacks listen', 'sweep']

/** Packages that processes run on, and that no verb needs for their settings. */
const packagesOfProcesses = /\/node_modules\/(@temporalio\/worker|fastify|jose|kysely|pg)\//

/** The parts that run as processes of their own. Each takes a second to load. */
const processes = /^(service|gateway|worker)\//

const program = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  const { verbs } = await import('./cli/verbs.ts')
  const names = JSON.parse(process.argv[1])
  for (const verb of verbs) if (names.includes(verb.name)) await verb.load()
  console.log(JSON.stringify(loaded))
`

test('the doctor, which reads all settings, loads no process', () => {
  const examining = program.replace(
    'console.log(JSON.stringify(loaded))',
    "const { findProblems } = await import('./cli/doctor/settings.ts')\n" +
      "await findProblems(['service', 'gateway', 'worker', 'codec'], { LOCKERFLOW_FLOWS: process.argv[2] })\n" +
      'console.log(JSON.stringify(loaded))',
  )
  const flows = 'test/support/flows/parcelReturn/parcelReturn.yaml'
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', examining, '["doctor"]', flows], {
    cwd: root,
    encoding: 'utf8',
  })
  const urls = JSON.parse(printed) as string[]
  expect(urls).toContainEqual(expect.stringContaining('/cli/doctor/actions.ts'))
  expect(urls).toContainEqual(expect.stringContaining('/flows/check/load.ts'))
  expect(urls.filter(url => packagesOfProcesses.test(url))).toEqual([])
})

test('verbs that talk to running parts load none of them', () => {
  const names = verbs.map(({ name }) => name).filter(name => groups.includes(name.split(' ')[0] ?? ''))
  expect(names.length).toBeGreaterThanOrEqual(15)
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
