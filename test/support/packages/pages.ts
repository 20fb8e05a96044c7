import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { blocksIn } from '../../docs/blocks.ts'
import { root } from '../../project/sources.ts'
import { eventually } from '../eventually.ts'
import { type Ended, installTimeout, run, startPasted } from './installed.ts'

/** A block of a language on the page of a package, the first one by default. `.` is the page of the project. */
export async function readmeBlock(page: string, language: string, index = 0): Promise<string> {
  const blocks = blocksIn(await readFile(join(root, page, 'README.md'), 'utf8'))
  return blocks.filter(block => block.language === language)[index]?.text ?? ''
}

/** The commands of a page that install a package, and the one after them that keeps running. */
export interface FirstCommands {
  readonly install: string
  /** Empty on a page without such a command. */
  readonly start: string
}

export async function firstCommands(page: string): Promise<FirstCommands> {
  const lines = (await readmeBlock(page, 'sh')).split('\n').filter(line => line !== '')
  const keepsRunning = (line: string) => line.startsWith('npx ')
  return {
    install: lines.filter(line => !keepsRunning(line)).join('\n'),
    start: lines.filter(keepsRunning).join('\n'),
  }
}

/** Free ports instead of the usual ones, which another test or a developer may use. */
const ports = {
  LOCKERFLOW_SERVICE_PORT: '0',
  LOCKERFLOW_GATEWAY_PORT: '0',
  LOCKERFLOW_TEMPORAL_PORT: '0',
  LOCKERFLOW_TEMPORAL_UI_PORT: '0',
}

/**
 * Follows the page of the project in a folder with the installed packages: starts everything, and runs the program of the
 * page in another terminal. Returns the end of the program.
 */
export async function followReadme(folder: string): Promise<Ended> {
  const { start } = await firstCommands('.')
  const running = startPasted(folder, start, ports)
  const found: { pid?: number } = {}
  try {
    await running.line(/Everything is running/, installTimeout)
    const { pid, temporal } = JSON.parse(await readFile(join(folder, '.lockerflow', 'dev.json'), 'utf8'))
    found.pid = pid
    await writeFile(join(folder, 'book.ts'), await readmeBlock('.', 'ts'))
    return await run(folder, ['bash', '-c', 'node book.ts'], { TEMPORAL_ADDRESS: temporal.address })
  } finally {
    await running.stop()
    // npx ends before the process that it has started.
    await eventually(() => !isAlive(found.pid) || undefined)
  }
}

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}
