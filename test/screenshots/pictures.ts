import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** Bytes; a page with four larger ones is slow to read. */
export const largest = 200_000

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url))

/** Writes what the page shows as a picture of the documentation. */
export async function picture(page: Page, name: string): Promise<void> {
  const path = join(images, `${name}.png`)
  await page.screenshot({ path })
  const { size } = await stat(path)
  if (size > largest) throw new Error(`${name}.png has ${size} bytes; at most ${largest} are wanted`)
  console.log(`docs/images/${name}.png, ${size} bytes`)
}
