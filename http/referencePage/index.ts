// The reference page of an OpenAPI document. The browser loads every file of the page from the listener itself.
// The door of its folder imports this.
export { referencePageRoutes } from './files.ts'
export type { ReferencePage } from './page.ts'
