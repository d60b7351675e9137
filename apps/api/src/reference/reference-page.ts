import { randomBytes } from 'node:crypto';

export interface ReferencePage {
  html: string;
  /** `Content-Security-Policy` with the nonce of this response. */
  policy: string;
}

/** The header is above Scalar, in its colours. */
const STYLE = `
      :root { --scalar-custom-header-height: 2.5rem; }
      body { margin: 0; }
      header {
        position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: var(--scalar-custom-header-height);
        display: flex; align-items: center; gap: 1rem; padding: 0 1rem; font: 0.875rem var(--scalar-font, sans-serif);
        background: var(--scalar-background-1, Canvas); border-bottom: 1px solid var(--scalar-border-color, GrayText);
      }
      header a { color: var(--scalar-color-1, LinkText); }
    `;

/**
 * Renders the page that Scalar fills. Scripts and their requests are restricted to this service, styles need the nonce of
 * the response. Links are relative, for proxies that serve the API below a path.
 */
export function renderReferencePage(title: string): ReferencePage {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta property="csp-nonce" content="${nonce}" />
    <title>${title}: API reference</title>
    <link rel="icon" href="data:," />
    <style nonce="${nonce}">${STYLE}</style>
    <script src="docs/load-scalar.js" defer></script>
    <script src="docs/scalar.js" defer></script>
  </head>
  <body>
    <header><a href="console">Back to the console</a> <a href="docs/guide">Guide</a></header>
    <div id="reference"></div>
    <noscript>
      <p>This page needs JavaScript. Without it, read <a href="api/v1/openapi.json">the OpenAPI document</a>.</p>
    </noscript>
  </body>
</html>
`;
  return { html, policy };
}
