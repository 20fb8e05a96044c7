import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { linkTo } from '../../cli/addresses.ts'
import { type Stack, startStack } from '../../cli/stack.ts'
import { eventually } from '../flows/eventually.ts'
import { queryFor } from '../flows/queries.ts'
import { browserPath } from '../setup/browser.ts'
import { picture } from './pictures.ts'
import { bringAbout, cases } from './situations.ts'

/** The query of docs/web-ui.md whose flows are on the picture of the list. */
const saved = 'all overdue loans at this pick up point'

if (browserPath === undefined) {
  console.error('screenshots: no chromium, chromium-browser or google-chrome on the path; install one first')
  process.exitCode = 1
} else {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-screenshots-'))
  try {
    const stack = await startStack({ folder, progress: line => console.log(line) })
    try {
      await bringAbout(stack)
      await takePictures(stack, browserPath)
    } finally {
      await stack.stop()
    }
  } catch (error) {
    console.error(`screenshots: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Drives the Web UI; each picture is taken once the texts that it is about are there. */
async function takePictures(stack: Stack, executablePath: string): Promise<void> {
  const { uiUrl, namespace } = stack
  if (uiUrl === undefined) throw new Error('TEMPORAL_ADDRESS is set; the pictures are taken of a server of our own')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const all = `${uiUrl}/namespaces/${namespace}/workflows`
    await page.goto(`${all}?query=${encodeURIComponent(queryFor(saved))}`)
    await shows(page, [cases.overdue, 'L-2003'])
    await arrange(page)
    await picture(page, 'list')

    await openBoard(page, linkTo(stack, cases.running))
    await shows(page, ['Stage return, 3 of 4', 'deadline', 'until the service is asked again'])
    await picture(page, 'running-loan')

    await openBoard(page, linkTo(stack, cases.overdue))
    await shows(page, ['the window has passed', 'until the window of return passes'])
    await picture(page, 'overdue-loan')

    await page.goto(linkTo(stack, cases.failed))
    await shows(page, ['NoLockerAvailable', 'Event History'])
    await picture(page, 'failed-issue')
  } finally {
    await browser.close()
  }
}

/** What an operator does once: keeps the query under a name, and chooses the columns. */
async function arrange(page: Page): Promise<void> {
  await page.getByTestId('create-view-button').click()
  const dialog = page.getByRole('dialog').filter({ hasText: 'Save as New View' })
  await dialog.getByPlaceholder('Name of view').fill('Overdue loans at pup-1')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })

  await page.getByTestId('workflows-summary-table-configuration-button').first().click()
  for (const name of ['Run ID', 'Type', 'End']) await page.getByLabel(`Remove ${name} column`).click()
  for (const name of ['LockerflowStage', 'LockerflowState', 'LockerflowPickUpPoint']) {
    await page.getByLabel(`Add ${name} column`).click()
  }
  await page.getByTestId('drawer-close-button').locator('visible=true').click()
  // It fades out, over the columns that the picture is about.
  await page.getByText('Configure Workflows Table').first().waitFor({ state: 'hidden' })
  await shows(page, ['Overdue loans at pup-1'])
}

/** The page of a flow opens at its history, by itself and late. */
async function openBoard(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.waitForURL(/\/history$/)
  await page.getByText('User Metadata').click()
  await page.waitForURL(/\/user-metadata$/)
}

/** Waits for texts, wherever on the page: the Web UI draws Markdown in frames of its own. */
async function shows(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    await eventually(async () => {
      const found = page.frames().map(frame => frame.getByText(text).first().isVisible())
      return (await Promise.all(found)).includes(true)
    }, 30_000).catch(() => {
      throw new Error(`${page.url()} does not show "${text}"`)
    })
  }
}
