import { join } from 'node:path'
import type { GoProgram } from '../goProgram.ts'

/**
 * Prints what `docker compose config` prints. It uses docker compose's own library for the files. Docker compose itself takes
 * minutes to build, because it contains the builder of images as well.
 */
export const composeCommand: GoProgram = {
  name: 'compose-config',
  moduleFolder: join(import.meta.dirname, 'module'),
  task: 'reader of compose files',
}
