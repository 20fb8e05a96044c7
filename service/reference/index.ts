// The reference page: what a person reads instead of the OpenAPI document; all that it loads comes from the service.
// Only the HTTP side of the service imports this.
export { type HeldFile, holdFile, type PageFile, pageFiles } from './files.ts'
export { policy } from './page.ts'
