import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Bytes; larger pictures would slow the page down. */
const largest = 200_000

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url))

/** Saves a screenshot of the page as a picture of the documentation. */
export async function savePicture(page: Page, name: string): Promise<void> {
  const path = join(images, `${name}.png`)
  await page.screenshot({ path })
  const { size } = await stat(path)
  if (size > largest) throw new Error(`${name}.png must have at most ${largest} bytes, not ${size}`)
  console.log(`docs/images/${name}.png, ${size} bytes`)
}
