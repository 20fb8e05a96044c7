import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Verb } from '../../cli/command/verb.ts'
import { type Shell, shells } from '../../cli/completion/actions.ts'
import { findCandidates } from '../../cli/completion/candidates.ts'
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

/** The lines that a shell runs. They print the completion of a verb and of a field, and that the script is in use. */
const sessions: Readonly<Record<Shell, readonly string[]>> = {
  bash: [
    'source <(lockerflow completion bash)',
    'COMP_WORDS=(lockerflow clients ro); COMP_CWORD=2; _lockerflow; printf "%s\\n" "$COMPREPLY"',
    'COMP_WORDS=(lockerflow call GetShipments --pageS); COMP_CWORD=3; _lockerflow; printf "%s\\n" "$COMPREPLY"',
    'complete -p lockerflow | grep -o "_lockerflow lockerflow"',
  ],
  // A terminal of its own, in which the tabulator completes.
  zsh: [
    'zmodload zsh/zpty; zpty shell zsh -f -i',
    `zpty -w shell 'autoload -Uz compinit; compinit -D -u; source <(lockerflow completion zsh); print rea""dy'`,
    "zpty -r shell out '*ready*'",
    "zpty -w -n shell $'lockerflow clients ro\\t'; zpty -r shell out '*rotate*'; print rotate",
    "zpty -w -n shell $'\\x15lockerflow call GetShipments --pageS\\t'; zpty -r shell out '*--pageSize*'; print -- --pageSize",
    'print _lockerflow lockerflow',
  ],
  fish: [
    'lockerflow completion fish | source',
    'complete -C "lockerflow clients ro"',
    'complete -C "lockerflow call GetShipments --pageS"',
    'complete -c lockerflow | string match -qr __lockerflow_complete; and echo _lockerflow lockerflow',
  ],
}

/** Options with which a shell reads no file of the user. */
const bare: Readonly<Record<Shell, readonly string[]>> = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }

describe('the script for', () => {
  test.for(shells)('%s completes verbs and fields in a real one', async (shell, { skip }) => {
    skip(!hasShell(shell), `the PATH has no ${shell}`)
    const folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const program = join(folder, 'lockerflow')
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${root}/cli/lockerflow.ts' "$@"\n`)
    await chmod(program, 0o755)
    const env = {
      ...childEnvironment,
      PATH: `${folder}:${process.env.PATH}`,
      ...{ HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), TERM: 'xterm' },
    }
    const { stdout } = await promisify(execFile)(shell, [...bare[shell], '-c', sessions[shell].join('\n')], { env })
    expect(stdout.trim().split('\n')).toEqual(['rotate', '--pageSize', '_lockerflow lockerflow'])
  })
})

function hasShell(shell: Shell): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.some(folder => existsSync(join(folder, shell)))
}
