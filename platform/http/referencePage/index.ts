// An OpenAPI document and its reference page. The browser loads every file of the page from the listener itself.
// The door of its folder imports this.
export { type ApiDocs, apiDocsRoutes } from './files.ts'
