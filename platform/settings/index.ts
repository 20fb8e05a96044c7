// Environment variables: their declaration, their parsing, and those that several processes share.
// Imported wherever a setting is declared, read, or named in an error.

export { type DatabaseUrl, databaseTlsVariables, secureUrl } from './databaseTls.ts'
export { findUnknownNames, settingNames } from './names.ts'
export { readTemporalProxy } from './proxies.ts'
export { readNamedFile, readSecret, readVariables } from './read.ts'
export { loadOrCreateSecret } from './secretFile.ts'
export { loadFile, loadTogether, type Problem, readTogether, SettingsError } from './settingsError.ts'
export {
  apiDocsVariable,
  baseAddress,
  decisionKeyVariable,
  drivenServiceVariables,
  environmentVariable,
  hostVariable,
  httpUrl,
  logLevelVariable,
  plainHttpProblem,
  readDrivenService,
  readListeningHost,
  signatureKey,
  signatureKeys,
  taskQueueVariable,
  toListenerAddress,
} from './shared.ts'
export { checkStoreUrl, findStorePath, mustBeFileUrl } from './storeUrl.ts'
export { type TrustProxy, toFastifyTrust, trustProxyVariable } from './trustProxy.ts'
export { uidSignatureVariable } from './uidSignature.ts'
export {
  isGiven,
  isProduction,
  port,
  type Source,
  type Values,
  type Variable,
  wholeNumber,
  withoutEmpty,
  withoutUndefined,
} from './variable.ts'
export { entriesOf, isWeakClientSecret, isWeakSecret, mustBeStrong, passwordOf, ringKeysOf } from './weakSecrets.ts'
