// The reference page and the OpenAPI document. The browser loads every file of the page from the service itself.
// Only the HTTP side of the service imports this.
export { type DocumentParts, documentRoute, pageRoutes } from './routes.ts'
