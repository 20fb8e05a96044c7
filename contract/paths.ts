/** What the service answers beside its operations; all of it is called with GET and without a token. */
export const documentPath = '/openapi.json'
/** The reference page, and below it what the page loads. */
export const pagePath = '/docs'
export const healthPaths = { live: '/health/live', ready: '/health/ready' } as const
export const discoveryPath = '/.well-known/openid-configuration'
export const keySetPath = '/.well-known/jwks.json'
