// The OpenAPI 3.1 document, made from the declarations of the operations and their examples.
// Only the contract's own door imports this.
export { type DocumentOptions, openApiDocument } from './document.ts'
export { requestSchema } from './requestSchema.ts'
