import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The machine's browser, since the project installs none; undefined if the path has none. */
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
