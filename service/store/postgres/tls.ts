/** Parameters of a URL with which the driver would verify less than `verify-full`, or nothing. */
const parameters = ['ssl', 'sslmode', 'sslrootcert', 'sslnegotiation', 'uselibpqcompat'] as const

/**
 * Returns the URL with which the driver connects by TLS only, and verifies the certificate and its host.
 * @param authorities path of a file with the certificates of authorities (PEM); undefined for those of Node
 */
export function withTls(url: string, authorities: string | undefined): string {
  const secured = new URL(url)
  secured.searchParams.set('sslmode', 'verify-full')
  if (authorities !== undefined) secured.searchParams.set('sslrootcert', authorities)
  return secured.href
}

/** Returns the parameter of a URL that contradicts TLS, or undefined. */
export function findTlsParameter(url: string): string | undefined {
  const given = new URL(url).searchParams
  return parameters.find(name => given.has(name) && !(name === 'sslmode' && given.get(name) === 'verify-full'))
}
