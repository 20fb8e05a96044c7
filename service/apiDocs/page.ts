import { accessScope, documentPath, pagePath } from '#contract'

/** Paths of the script of the page, and of the script that starts it. */
export const scriptPath = `${pagePath}/reference.js`
export const startPath = `${pagePath}/start.js`

/** Options of the page. Everything that would call another origin is off. */
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

/** The page. Its addresses are relative, since a proxy may serve it below a path. */
export const pageHtml = `<!doctype html>
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
 * Starts the page. It is a separate file, so that the policy needs no exception for inline scripts. Its first line stops
 * zod from probing for `eval`, which the policy forbids and browsers would report.
 */
export const startScript = `globalThis.__zod_globalConfig = { jitless: true }
addEventListener('DOMContentLoaded', () =>
  Scalar.createApiReference('#app', {
    url: new URL(${JSON.stringify(relative(documentPath))}, document.baseURI).href,
    ...${JSON.stringify(options)},
  }),
)
`

/** No other origins, no inline scripts, no framing. */
export const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  // The script creates inline styles at run time.
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
