import type { Json, Source } from '#flows/declaration'

/** The kinds of sources: a reference, a literal, a merge, an object or a list. */
export type Kind =
  | { readonly kind: 'from'; readonly path: string; readonly or: Json | undefined }
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'merge'; readonly parts: readonly Source[] }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Source>> }
  | { readonly kind: 'list'; readonly members: readonly Source[] }

/** The kind of a source, with its parts. */
export function readSource(source: Source): Kind {
  if (source === null || typeof source !== 'object') return { kind: 'value', value: source }
  if (Array.isArray(source)) return { kind: 'list', members: source }
  const fields = source as Readonly<Record<string, Source>>
  if ('from' in fields) return { kind: 'from', path: String(fields.from), or: fields.or as Json | undefined }
  if ('value' in fields) return { kind: 'value', value: fields.value as Json }
  if ('merge' in fields) return { kind: 'merge', parts: fields.merge as readonly Source[] }
  return { kind: 'object', fields }
}

/** The first word of a path: `input`, a step or a role. */
export function headOf(path: string): string {
  return path.split('.')[0] ?? ''
}
