import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { stdin } from 'node:process'
import { type CommandFailure, failed, misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { readVersion } from '../command/version.ts'
import { type Answers, projectFiles, type Runner, requests, runners, type StartedFlow } from './templates.ts'

const usual = {
  folder: 'my-lockers',
  flow: 'issue',
  pickUpPoint: 'pup-1',
  runner: 'node',
}
type Answer = keyof typeof usual

const packageName = /^[a-z][a-z\d-]{0,100}$/

/** Asks four questions, or reads the answers from the options, and writes a project that starts a flow. */
export async function run({ values, options, output }: VerbCall): Promise<void> {
  const [named] = values
  // It would be the current folder.
  if (named === '') throw wrongFolder(named)
  const given: Partial<Record<Answer, unknown>> = { ...options, folder: named }
  const isSilent = options.yes === true || output.json || stdin.isTTY !== true
  const answers = isSilent ? usual : await askMissing(given)
  const answerOf = (name: Answer) => String(given[name] ?? answers[name])
  const folder = resolve(answerOf('folder'))
  const files = projectFiles(check(basename(folder), answerOf), readVersion())
  await writeFiles(folder, files)
  output.result({ folder, files: Object.keys(files) }, () => [
    `Written: ${Object.keys(files).join(', ')}.`,
    'The packages are not published yet: npm run release -- packages --out FOLDER in a clone of lockerflow packs them.',
    `  cd ${answerOf('folder')}`,
    '  npm install FOLDER/*.tgz',
    '  npx lockerflow dev   in one terminal',
    '  npm start            in another one',
    '  npm test',
  ])
}

function check(name: string, answerOf: (name: Answer) => string): Answers {
  const flow = answerOf('flow')
  const runner = answerOf('runner')
  const pickUpPoint = answerOf('pickUpPoint')
  if (!packageName.test(name)) throw wrongFolder(name)
  if (!Object.hasOwn(requests, flow))
    throw misuse(`--flow: must be one of ${Object.keys(requests).join(', ')}, got "${flow}".`)
  if (!(runners as readonly string[]).includes(runner))
    throw misuse(`--runner: must be ${runners.join(' or ')}, got "${runner}".`)
  if (!/^[\w.-]{1,100}$/.test(pickUpPoint))
    throw misuse(`--pick-up-point: must be the uid of a pick up point, got "${pickUpPoint}".`)
  return { name, flow: flow as StartedFlow, runner: runner as Runner, pickUpPoint }
}

function wrongFolder(name: string): CommandFailure {
  return misuse(`folder: must end with a name of lower-case letters, digits and -, got "${name}".`)
}

/** Asks for the answers that no option gives. @throws CommandFailure if the user cancels */
async function askMissing(given: Partial<Record<Answer, unknown>>): Promise<typeof usual> {
  const { group, intro, select, text } = await import('@clack/prompts')
  intro('A project that starts a flow')
  const ask = (name: Answer, message: string) =>
    given[name] === undefined
      ? text({ message, placeholder: usual[name], defaultValue: usual[name] })
      : Promise.resolve(String(given[name]))
  const choose = (name: Answer, message: string, choices: Readonly<Record<string, string>>) =>
    given[name] === undefined
      ? select({ message, options: Object.entries(choices).map(([value, label]) => ({ value, label })) })
      : Promise.resolve(String(given[name]))
  const texts = Object.fromEntries(Object.entries(requests).map(([name, flow]) => [name, `${name}: ${flow.text}`]))
  return group(
    {
      folder: () => ask('folder', 'In which folder?'),
      flow: () => choose('flow', 'Which flow does the project start?', texts),
      pickUpPoint: () => ask('pickUpPoint', 'At which pick up point?'),
      runner: () => choose('runner', 'Which test runner?', { node: 'node --test', vitest: 'vitest' }),
    },
    {
      onCancel() {
        throw failed('Nothing was written.')
      },
    },
  )
}

/** Writes files below a folder. @throws CommandFailure if one exists, before any is written */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const existing = Object.keys(files).filter(file => existsSync(join(folder, file)))
  if (existing.length > 0)
    throw failed(`${existing.join(', ')} in ${folder} must not exist yet.`, 'Choose another name or folder.')
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx', mode: file === '.env' ? 0o600 : 0o644 })
  }
}
