import { writeFile } from 'node:fs/promises'
import { pages } from './documentation/index.ts'

for (const [name, page] of Object.entries(pages)) {
  await writeFile(new URL(`../docs/${name}`, import.meta.url), await page())
  console.log(`docs/${name}`)
}
