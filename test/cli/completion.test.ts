import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Verb } from '../../cli/command/verb.ts'
import { findCandidates } from '../../cli/completion/candidates.ts'
import { scripts, shells } from '../../cli/completion/scripts.ts'
import { verbs } from '../../cli/verbs/index.ts'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'

const load: Verb['load'] = async () => ({ run: async () => undefined })
const table: readonly Verb[] = [
  {
    name: 'call',
    summary: 'Call.',
    example: 'lockerflow call GetShipments',
    arguments: [
      { name: 'operation', summary: 'The operation', values: async () => ['GetShipments', 'GetAccount'] },
      { name: 'fields', summary: 'Fields', variadic: true, values: async words => words.map(word => `${word}=`) },
    ],
    options: [
      { flags: '-b, --body <file>', summary: 'The body' },
      { flags: '--mode <mode>', summary: 'The mode', values: ['fast', 'slow'] },
      { flags: '--away <name>', summary: 'Not readable', values: () => Promise.reject(new Error('no service')) },
    ],
    load,
  },
  { name: 'flow', summary: 'Flows.', example: 'lockerflow flow', load },
  { name: 'flow start', summary: 'Start.', example: 'lockerflow flow start', load },
  { name: 'flow status', summary: 'Status.', example: 'lockerflow flow status', load },
  { name: 'secret', hidden: true, summary: 'Hidden.', example: 'lockerflow secret', load },
]

test.each<[readonly string[], readonly string[]]>([
  [[''], ['call', 'flow']],
  [['c'], ['call']],
  [
    ['flow', ''],
    ['start', 'status'],
  ],
  [['flow', 'sta', 'x'], []],
  [['flow', 'star'], ['start']],
  [
    ['call', ''],
    ['GetAccount', 'GetShipments'],
  ],
  [['call', 'GetS'], ['GetShipments']],
  [
    ['call', 'GetShipments', ''],
    ['GetShipments=', 'call='],
  ],
  [
    ['call', '--mode', ''],
    ['fast', 'slow'],
  ],
  [['call', '--mode', 'slow', 'GetA'], ['GetAccount']],
  [['call', '--away', ''], []],
  [['call', '--m'], ['--mode']],
  [
    ['call', '--'],
    ['--away', '--body', '--help', '--json', '--mode', '--profile'],
  ],
])('%j is completed by %j', async (words, expected) => {
  expect(await findCandidates(table, words)).toEqual(expected)
})

test.each([
  [['call', 'GetShipments', '--pageS'], '--pageSize'],
  [['flow', 'start', 'stock', '--Dimension.w'], '--Dimension.width'],
])('the fields of %j are completed', async (words, field) => {
  expect(await findCandidates(verbs, words)).toEqual([field])
})

test('every verb is found by its words, and every option by its dashes', async () => {
  for (const { name, hidden, options = [] } of verbs) {
    const words = name.split(' ')
    const last = words.at(-1) ?? ''
    if (!hidden) expect(await findCandidates(verbs, [...words.slice(0, -1), last])).toContain(last)
    const offered = await findCandidates(verbs, [...words, '--'])
    for (const { flags } of options) expect(offered).toContain(/--[\w-]+/.exec(flags)?.[0])
  }
})

describe('the script for', () => {
  test('bash completes in a real bash', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const program = join(folder, 'lockerflow')
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${root}/cli/lockerflow.ts' "$@"\n`)
    await chmod(program, 0o755)
    const script = `source <(lockerflow completion bash)
COMP_WORDS=(lockerflow clients ro); COMP_CWORD=2; _lockerflow; echo "\${COMPREPLY[@]}"
COMP_WORDS=(lockerflow check --process ''); COMP_CWORD=3; _lockerflow; echo "\${COMPREPLY[@]}"
complete -p lockerflow`
    const env = { ...childEnvironment, PATH: `${folder}:${process.env.PATH}`, XDG_CONFIG_HOME: join(folder, 'config') }
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], { env })
    expect(stdout.trim().split('\n')).toEqual([
      'rotate',
      'codec gateway hardware service worker',
      'complete -o default -F _lockerflow lockerflow',
    ])
  })

  test.each(shells)('%s is accepted by that shell, if the machine has it', async shell => {
    const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'script')
    await writeFile(file, scripts[shell])
    const flag = shell === 'fish' ? '--no-execute' : '-n'
    const checked = await promisify(execFile)(shell, [flag, file]).catch(error => error)
    if (checked.code !== 'ENOENT') expect(checked.stderr).toBe('')
    expect(scripts[shell]).toContain(' complete -- ')
  })
})
