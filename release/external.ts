/** Everything but our own files comes from the package's dependencies or from Node. */
export function isExternal(id: string): boolean {
  return !/^[.#/\0]/.test(id) && !/^[A-Za-z]:[\\/]/.test(id)
}
