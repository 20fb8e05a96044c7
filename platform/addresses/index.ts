// Guards against server-side request forgery: URLs from user input, for callbacks, notifications and file downloads.
// Imported by the service, the activities, the worker, the client, the command and the settings.

export { checkedLookup, isAllowedAddress, requestErrorCode, validateUrl, validateUrlSyntax } from './addresses.ts'
export { createHostOwners, type HostOwners } from './lookups.ts'
export { isLoopbackHost, isPrivateHost } from './privateHosts.ts'
