// The OpenAPI 3.1 document, made from the declarations of the operations and their examples, and its parts.
// contract/index.ts imports this, and so does the gateway, which has a document of its own.
export { type DocumentOptions, openApiDocument, requestSchema } from './document.ts'
export { listCodes } from './failures.ts'
export { hoistSchemas, type Json, namedSchema, referenceTo, toJsonSchema } from './schemas.ts'
