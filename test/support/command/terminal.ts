import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../project/sources.ts'
import { childEnvironment } from '../childEnvironment.ts'
import { eventually } from '../eventually.ts'

/** `script` gives a program a terminal. */
export const hasTerminal = existsSync('/usr/bin/script')

/** The keys that answer a question, once it is printed. */
export type TypedAnswer = readonly [question: string, keys: string]

/** Keys of a terminal. */
export const keys = { enter: '\r', down: '\u001b[B' } as const

/** Runs a command line on a terminal, whose streams are one, and answers its questions. */
export async function runOnTerminal(
  environment: NodeJS.ProcessEnv,
  words: readonly string[],
  answers: readonly TypedAnswer[],
  folder: string = root,
): Promise<{ readonly code: number; readonly printed: string }> {
  const command = [process.execPath, join(root, 'cli', 'lockerflow.ts'), ...words].map(quote).join(' ')
  // A terminal without a size would break each line after its first character.
  const sized = `stty cols 200 rows 50 && exec ${command}`
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', sized, '/dev/null'], {
    cwd: folder,
    env: { ...childEnvironment, TERM: 'xterm-256color', ...environment },
  })
  let printed = ''
  child.stdout.on('data', chunk => {
    printed += String(chunk)
  })
  const ended = once(child, 'close')
  try {
    for (const [question, typed] of answers) {
      await eventually(() => Promise.resolve(printed.includes(question)))
      child.stdin.write(typed)
    }
    const [code] = await ended
    return { code: Number(code), printed }
  } finally {
    child.kill()
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
