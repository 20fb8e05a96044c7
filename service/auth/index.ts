// Authentication: client secrets, access tokens and the keys that sign them. Independent of the web framework.
// Only the service's own folders import this.
export { hashSecret, matchesSecret } from './secretHash.ts'
export { createSecretThrottle } from './secretThrottle.ts'
export { findAlgorithm, openSigningKeys, type SigningKeys } from './signingKeys.ts'
export { createDiscoveryDocument, createTokenEndpoint, type TokenEndpoint, type TokenRequest } from './tokenEndpoint.ts'
export { TokenError } from './tokenError.ts'
export { createTokens, type Tokens } from './tokens.ts'
export { type Caller, createVerifyBearer, missingToken, type VerifyBearer } from './verifyBearer.ts'
