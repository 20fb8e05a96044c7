// Authentication: client secrets, access tokens, the keys that sign them, and what ends them. Independent of the web
// framework. Only the service's own folders import this.
export { type AcceptedTokens, createAcceptedTokens } from './acceptedTokens.ts'
export { insertSecret, setExpiry } from './clientSecrets.ts'
export { TokenError } from './credentials.ts'
export { createDiscoveryDocument, createIntrospection } from './introspection.ts'
export { forgetRemoval, recordRemoval, wasRemoved } from './removals.ts'
export { findSecret } from './secretHash.ts'
export { openSigningKeys, readKeys, revokeSigningKey, type SigningKeys } from './signingKeys.ts'
export { createTokenEndpoint, type TokenEndpoint, type TokenRequest } from './tokenEndpoint.ts'
export { createTokens, type Tokens } from './tokens.ts'
export { type Caller, createVerifyBearer, missingToken, type VerifyBearer } from './verifyBearer.ts'
