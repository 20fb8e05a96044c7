import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { verbs } from '../../cli/verbs/index.ts'
import { root } from '../project/sources.ts'

/** The groups whose verbs talk to running parts. */
const groups = ['flow', 'flows', 'profiles', 'clock', 'requests']
const single = [
  'call',
  'capabilities',
  'login',
  'seed',
  'simulate',
  'simulate journey',
  'callbacks listen',
  'forget',
  'sweep',
]

/** The parts that run as processes of their own. Each takes a second to load. */
const processes = /^(service|gateway|worker|hardware|codecServer)\//

const program = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  const { verbs } = await import('./cli/verbs/index.ts')
  const names = JSON.parse(process.argv[1])
  for (const verb of verbs) if (names.includes(verb.name)) await verb.load()
  console.log(JSON.stringify(loaded))
`

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
