import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileIn = (folder: string) => join(folder, 'clock.json')

/** The distance of a stack's clock from that of the machine, in milliseconds; 0 without a file. */
export async function readAhead(folder: string): Promise<number> {
  try {
    const { ahead } = JSON.parse(await readFile(fileIn(folder), 'utf8'))
    return Number.isSafeInteger(ahead) ? ahead : 0
  } catch {
    return 0
  }
}

export async function writeAhead(folder: string, ahead: number): Promise<void> {
  await writeFile(fileIn(folder), JSON.stringify({ ahead }), { mode: 0o600 })
}
