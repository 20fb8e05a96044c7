import { flowsPage } from './flows.ts'
import { howItWorksPage } from './howItWorks.ts'
import { settingsPage } from './settings.ts'
import { shipmentsPage } from './shipments.ts'

/** The pages of docs/ that are made from the code, by file name. */
export const pages: Readonly<Record<string, () => string>> = {
  'flows.md': flowsPage,
  'how-it-works.md': howItWorksPage,
  'settings.md': settingsPage,
  'shipments.md': shipmentsPage,
}
