import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../support/service/testService.ts'
import { browserPath } from '../../../support/setup/browser.ts'

/** The tests bring no browser. Checks that need none are in page.test.ts. */
describe.skipIf(browserPath === undefined)('in a browser, the reference page', () => {
  let service: TestService
  let browser: Browser
  let page: Page
  const requests: string[] = []
  const faults: string[] = []

  beforeAll(async () => {
    service = await startTestService()
    browser = await chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] })
    page = await browser.newPage()
    page.on('request', request => requests.push(request.url()))
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.exposeFunction('violated', (what: string) => faults.push(what))
    // In words that the page's own engine reads: there is no document here.
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', event =>
      violated(event.violatedDirective + ' ' + event.blockedURI))`)
    await page.goto(`${service.address}/docs`)
  })

  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('shows operations by their names, with an example', async () => {
    await page.getByText('Logistics', { exact: true }).first().click()
    await page.getByText('CreateLocalShipmentAsIssue', { exact: true }).first().click()
    await page.getByRole('heading', { name: 'CreateLocalShipmentAsIssue', exact: true }).first().waitFor()
    await page.getByText('ORD-2041').first().waitFor()
  })

  test('shows what the service sends by itself', async () => {
    await page.getByText('Webhooks', { exact: true }).first().click()
    await page.getByText('ShipmentStatusUpdate', { exact: true }).first().waitFor()
  })

  test('sends requests to the service only', () => {
    const loaded = requests.filter(url => !url.startsWith('data:'))
    expect(loaded).toContain(`${service.address}/openapi.json`)
    expect(loaded.filter(url => new URL(url).origin !== service.address)).toEqual([])
  })

  test('does nothing that its policy forbids, and nothing fails', () => {
    expect(faults).toEqual([])
  })
})
