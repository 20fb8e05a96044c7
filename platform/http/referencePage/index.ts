// An OpenAPI document and its reference page. The browser loads every file of the page from the listener itself.
// platform/http/index.ts imports this.
export { type ApiDocs, apiDocsRoutes } from './files.ts'
