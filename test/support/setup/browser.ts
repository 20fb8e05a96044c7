import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A browser of the machine, since we bring none; undefined when there is none on the path. */
export const browserPath = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap(name => (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, name)))
  .find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
