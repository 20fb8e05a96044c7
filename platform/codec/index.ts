// Encryption of payloads: workers, clients, the gateway and the commands share it, and its server decodes for people.
// Other folders and other services import this file.
export { CodecError } from './codecError.ts'
export { createDataConverter, encrypts } from './dataConverter.ts'
export { emptyKeyRing, type KeyRing, readKeyRing } from './keyRing.ts'
export { codecVariables, readCodecKeys, readDataConverter } from './settings.ts'
