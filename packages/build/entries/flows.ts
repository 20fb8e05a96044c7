// The entry `flows` of the client: declares own flows for its types. Workers and commands check them as a whole.
export { defineFlow } from '#flows/check'
export type { FlowDeclaration } from '#flows/declaration'
