import { accessScope, documentPath, pagePath } from '#contract'

/** Where the page finds its script, and where the program is that starts it. */
export const scriptPath = `${pagePath}/reference.js`
export const startPath = `${pagePath}/start.js`

/**
 * Options of the page. Everything that would ask another origin is off: fonts, telemetry, the proxy for calls, the
 * assistant, the tools of its makers.
 */
const options = {
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'json',
  defaultOpenAllTags: false,
  authentication: {
    preferredSecurityScheme: 'client',
    securitySchemes: { client: { flows: { clientCredentials: { selectedScopes: [accessScope] } } } },
  },
}

/** The page; addresses are relative, since the service may be reached below a path. */
export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>lockerflow</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="${relative(startPath)}"></script>
    <script src="${relative(scriptPath)}"></script>
  </body>
</html>
`

/**
 * Starts the page once its script is there; a file of its own, so that the policy needs no exception for scripts. The
 * first line keeps the script from trying whether it may make code at run time: it may not, and browsers report the try.
 */
export const start = `globalThis.__zod_globalConfig = { jitless: true }
addEventListener('DOMContentLoaded', () =>
  Scalar.createApiReference('#app', {
    url: new URL(${JSON.stringify(relative(documentPath))}, document.baseURI).href,
    ...${JSON.stringify(options)},
  }),
)
`

/** Nothing of another origin, no script that is written into the page, no frame around it. */
export const policy = [
  "default-src 'self'",
  "script-src 'self'",
  // The script lays out its parts by styles that it makes itself.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function relative(path: string): string {
  return path.slice(1)
}
