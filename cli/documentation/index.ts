import { flowsPage } from './flows.ts'
import { settingsPage } from './settings.ts'

/** The pages of docs/ that are made from the code, by file name. */
export const pages: Readonly<Record<string, () => string>> = {
  'flows.md': flowsPage,
  'settings.md': settingsPage,
}
