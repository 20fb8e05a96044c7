// Sign-in: client secrets against tokens, the keys that sign them, and the check of a token. Knows no web framework.
// Only the service's own folders import this.
export { algorithmOf } from './algorithm.ts'
export { type Caller, createTokenCheck, type TokenCheck } from './check.ts'
export { discoveryDocument } from './discovery.ts'
export { createTokenEndpoint, type TokenEndpoint, type TokenRequest } from './endpoint.ts'
export { TokenFailure } from './failure.ts'
export { openSigningKeys, type SigningKeys } from './keys.ts'
export { keepSecret, secretHolds } from './secret.ts'
export { createTokens, type Tokens } from './tokens.ts'
export { createWrongSecrets } from './wrongSecrets.ts'
