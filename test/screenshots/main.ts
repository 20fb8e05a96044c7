import { chromium, type Page } from 'playwright-core'
import { caseLink } from '../../cli/addresses.ts'
import { type Stack, startStack } from '../../testing/stack/index.ts'
import { eventually } from '../support/eventually.ts'
import { queryFor } from '../support/flows/savedQueries.ts'
import { browserPath } from '../support/setup/browser.ts'
import { savePicture } from './pictures.ts'
import { cases, createSituations } from './situations.ts'

/** The query of docs/how-to/look-after-flows.md that the picture of the list shows. */
const saved = 'all overdue loans at this pick up point'

if (browserPath === undefined) {
  console.error('screenshots: no chromium, chromium-browser or google-chrome on the path; install one first')
  process.exitCode = 1
} else {
  try {
    const stack = await startStack({ progress: line => console.log(line) })
    try {
      await createSituations(stack)
      await takePictures(stack, browserPath)
    } finally {
      await stack.stop()
    }
  } catch (error) {
    console.error(`screenshots: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

/** Operates the Web UI. Takes each picture as soon as its expected texts are visible. */
async function takePictures(stack: Stack, executablePath: string): Promise<void> {
  const { uiUrl, namespace } = stack
  if (uiUrl === undefined) throw new Error('TEMPORAL_ADDRESS must not be set: the pictures need a server of their own')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const all = `${uiUrl}/namespaces/${namespace}/workflows`
    await page.goto(`${all}?query=${encodeURIComponent(queryFor(saved))}`)
    await shows(page, [cases.overdue, 'L-2003'])
    await arrange(page)
    await savePicture(page, 'list')

    await openDetails(page, caseLink(stack, cases.running))
    await shows(page, ['Stage return, 3 of 4', 'deadline', 'next poll of the service'])
    await savePicture(page, 'running-loan')

    await openDetails(page, caseLink(stack, cases.overdue))
    await shows(page, ['the window has passed', 'window of return'])
    await savePicture(page, 'overdue-loan')

    await page.goto(caseLink(stack, cases.failed))
    await shows(page, ['NoLockerAvailable', 'Event History'])
    await savePicture(page, 'failed-issue')
  } finally {
    await browser.close()
  }
}

/** The one-time set-up of an operator: saves the query as a view, and selects the columns. */
async function arrange(page: Page): Promise<void> {
  await page.getByTestId('create-view-button').click()
  const dialog = page.getByRole('dialog').filter({ hasText: 'Save as New View' })
  await dialog.getByPlaceholder('Name of view').fill('Overdue loans at pup-1')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })

  await page.getByTestId('workflows-summary-table-configuration-button').first().click()
  for (const name of ['Run ID', 'Type', 'End']) await page.getByLabel(`Remove ${name} column`).click()
  for (const name of ['LockerflowSteps', 'LockerflowState', 'LockerflowPickUpPoint']) {
    await page.getByLabel(`Add ${name} column`).click()
  }
  await page.getByTestId('drawer-close-button').locator('visible=true').click()
  // The drawer fades out above the columns.
  await page.getByText('Configure Workflows Table').first().waitFor({ state: 'hidden' })
  await shows(page, ['Overdue loans at pup-1'])
}

/** Opens the current details of a flow. The page first redirects to the history, with a delay. */
async function openDetails(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.waitForURL(/\/history$/)
  await page.getByText('User Metadata').click()
  await page.waitForURL(/\/user-metadata$/)
}

/** Waits for texts in any frame, because the Web UI renders Markdown in separate frames. */
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
