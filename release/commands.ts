import { join } from 'node:path'

/** The program of the installed command `lockerflow`. It loads the one verb that it runs. */
export const program = 'cli/lockerflow.ts'

/** Writes the module of the command. */
export function writeCommand(root: string): string {
  return `import ${JSON.stringify(join(root, program))}\n`
}
