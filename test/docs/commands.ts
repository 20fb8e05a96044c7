import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { root } from '../project/sources.ts'
import { eventually } from '../support/eventually.ts'
import type { Block } from './blocks.ts'

/** A command of a tutorial that keeps running. */
export interface RunningCommand {
  /** Waits for a line of its output. @param within milliseconds */
  line(pattern: RegExp, within?: number): Promise<RegExpExecArray>
  stop(): Promise<void>
}

/** Starts a command in a process group of its own, so that its children end with it. */
export function startCommand(
  command: string,
  variables: Readonly<Record<string, string>>,
  folder = root,
  environment: NodeJS.ProcessEnv = process.env,
): RunningCommand {
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: { ...environment, ...variables },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk
    })
  }
  const exited = once(child, 'exit')
  return {
    line: (pattern, within = 120_000) =>
      eventually(() => {
        const match = pattern.exec(output)
        if (match === null && child.exitCode !== null) throw new Error(`${command} ended: ${output}`)
        return match ?? undefined
      }, within),
    async stop() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
      await exited
    },
  }
}

/** A block of commands and the output that the page shows below it. */
export interface Step {
  readonly commands: string
  readonly expected: string | undefined
}

/** The blocks in `sh` without a name, each with the `text` block that follows it. */
export function stepsOf(blocks: readonly Block[]): Step[] {
  return blocks.flatMap(({ language, info, text }, index) => {
    if (language !== 'sh' || info !== '') return []
    const next = blocks[index + 1]
    return [{ commands: text, expected: next?.language === 'text' ? next.text : undefined }]
  })
}

const mark = '--- end of a step ---'

/** Runs the steps in one shell. Returns the output of each. */
export async function runSteps(
  steps: readonly Step[],
  variables: Readonly<Record<string, string>>,
  folder: string,
): Promise<string[]> {
  const script = ['set -em', ...steps.map(({ commands }) => `${commands}\necho '${mark}'`)].join('\n')
  const child = spawn('bash', ['-c', script], {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  if (code !== 0) throw new Error(`a step failed: ${errors}\n${output}`)
  return output.split(`${mark}\n`).slice(0, -1)
}

/**
 * Runs the block in `sh` with this name in a folder, without npx. Returns its output.
 * @throws Error if the page has no such block, or a command of it fails
 */
export async function runBlock(
  blocks: readonly Block[],
  name: string,
  variables: Readonly<Record<string, string>>,
  folder: string,
): Promise<string> {
  const block = blocks.find(({ language, info }) => language === 'sh' && info === name)
  if (block === undefined) throw new Error(`the page has no block ${name}`)
  const commands = block.text
    .replaceAll('npx lockerflow', `'${process.execPath}' ${root}/cli/lockerflow.ts`)
    .replaceAll('npx node', `'${process.execPath}'`)
  const [output = ''] = await runSteps([{ commands, expected: undefined }], variables, folder)
  return output
}
