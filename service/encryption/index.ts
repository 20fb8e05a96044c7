// Secrets in the store: encrypted under data keys, which are encrypted under the key-encryption keys of the setting.
// Only the service's own folders import this.
export { assertDecrypts, reencryptDataKeys } from './dataKeyEncryption.ts'
export { openSecrets } from './dataKeys.ts'
export {
  createKeyRing,
  type EncryptionKey,
  encryptionKeysExample,
  type KeyEncryption,
  keyRingRule,
  readKeyRing,
} from './keyEncryption.ts'
export {
  type EncryptionListing,
  type EncryptionRegistry,
  findStoreKeys,
  loadStagingKeys,
  openEncryption,
  openStagingKeys,
  type Rotation,
} from './registry.ts'
export { type CodeHash, type Secrets, UnknownDataKey } from './secrets.ts'
