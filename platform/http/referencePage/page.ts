import { documentPath, pagePath } from '#contract'

/** The differences between the pages of two listeners. */
export interface ReferencePage {
  readonly title: string
  /** How a reader of the page signs in, in the words of Scalar's configuration. */
  readonly authentication: object
}

/** Paths of the script of the page, and of the script that starts it. */
export const scriptPath = `${pagePath}/reference.js`
export const startPath = `${pagePath}/start.js`

/** Options of every page. Everything that would call another origin is off. */
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
}

/** The page. Its addresses are relative, since a proxy may serve it below a path. */
export function pageHtml({ title }: ReferencePage): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="${relative(startPath)}"></script>
    <script src="${relative(scriptPath)}"></script>
  </body>
</html>
`
}

/**
 * Starts the page. It is a separate file, so that the policy needs no exception for inline scripts. Its first line stops
 * zod from probing for `eval`, which the policy forbids and browsers would report.
 */
export function startScript({ authentication }: ReferencePage): string {
  return `globalThis.__zod_globalConfig = { jitless: true }
addEventListener('DOMContentLoaded', () =>
  Scalar.createApiReference('#app', {
    url: new URL(${JSON.stringify(relative(documentPath))}, document.baseURI).href,
    ...${JSON.stringify({ ...options, authentication })},
  }),
)
`
}

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
