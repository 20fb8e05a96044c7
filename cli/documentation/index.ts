// The pages of docs/ that are made from the code.
// The docs command imports this, and the test that compares the pages with it.
import { casesPage, casesSchemaFile } from './cases.ts'
import { commandPage } from './command.ts'
import { calendarsSchemaFile, declarationFaultsPage, declarationPage, declarationSchemaFile } from './declaration.ts'
import { errorsPage } from './errors.ts'
import { flowsPage } from './flows.ts'
import { flowsOpenApiFile } from './flowsOverHttp.ts'
import { httpApiPage } from './httpApi.ts'
import { oneLoanPage } from './oneLoan.ts'
import { hardwareOpenApiFile, openApiFile } from './openApi.ts'
import { settingsPage } from './settings.ts'
import { shipmentsPage } from './shipments.ts'

/** The text of each page, by its path below docs/. */
export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'explanation/one-loan.md': oneLoanPage,
  'reference/calendars.schema.json': calendarsSchemaFile,
  'reference/cases.md': casesPage,
  'reference/cases.schema.json': casesSchemaFile,
  'reference/command.md': commandPage,
  'reference/declaration.md': declarationPage,
  'reference/declaration.schema.json': declarationSchemaFile,
  'reference/declaration-faults.md': declarationFaultsPage,
  'reference/errors.md': errorsPage,
  'reference/flows.md': flowsPage,
  'reference/flows-openapi.json': flowsOpenApiFile,
  'reference/hardware-openapi.json': hardwareOpenApiFile,
  'reference/http-api.md': httpApiPage,
  'reference/openapi.json': openApiFile,
  'reference/settings.md': settingsPage,
  'reference/shipments.md': shipmentsPage,
}
