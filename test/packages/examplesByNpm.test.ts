import { afterAll, beforeAll } from 'vitest'
import { type InstalledExamples, installsOnPage, runners, startExamples } from '../support/packages/examples.ts'
import { emptyFolder, installTimeout, npmInstall, paste, removeFolders } from '../support/packages/installed.ts'
import { packed } from '../support/packages/packed.ts'
import { type Registry, startRegistry } from '../support/packages/registry.ts'
import { testTypescriptExamples } from '../support/packages/typescriptExamples.ts'

let registry: Registry | undefined
let examples: InstalledExamples | undefined

// The commands of the page, as they are written, in an empty folder.
beforeAll(async () => {
  registry = await startRegistry(await packed())
  const { variables } = registry
  const folder = await emptyFolder()
  await paste(folder, installsOnPage(), { variables })
  await npmInstall(folder, runners, { variables })
  examples = await startExamples(folder)
}, 2 * installTimeout)

afterAll(async () => {
  await examples?.stop()
  await registry?.stop()
  await removeFolders()
})

function installed(): InstalledExamples {
  if (examples === undefined) throw new Error('nothing runs')
  return examples
}

testTypescriptExamples(installed)
