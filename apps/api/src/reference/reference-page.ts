import { randomBytes } from 'node:crypto';

export interface ReferencePage {
  html: string;
  /** `Content-Security-Policy` with the nonce of this response. */
  policy: string;
}

/** The links are above Scalar, in its colours. Some of these are too pale to be read on its backgrounds, and are replaced. */
const STYLE = `
      :root { --scalar-custom-header-height: 2.5rem; }
      body { margin: 0; }
      body.light-mode {
        --scalar-color-2: #5a5a5a; --scalar-color-3: #666666; --scalar-color-green: #006b3f; --scalar-color-red: #b80000;
        --scalar-color-yellow: #755600; --scalar-color-blue: #005f9e; --scalar-color-orange: #a63a00;
      }
      body.dark-mode { --scalar-color-3: #a0a0a0; --scalar-color-red: #ff7a7a; }
      #reference button { min-width: 24px; min-height: 24px; }
      #service {
        position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: var(--scalar-custom-header-height);
        display: flex; align-items: center; gap: 1rem; padding: 0 1rem; font: 0.875rem var(--scalar-font, sans-serif);
        background: var(--scalar-background-1, Canvas); border-bottom: 1px solid var(--scalar-border-color, GrayText);
      }
      #service a { color: var(--scalar-color-1, LinkText); }
    `;

/**
 * Renders the page that Scalar fills. Scripts and their requests are restricted to this service, styles need the nonce of
 * the response. Links are relative, for proxies that serve the API below a path.
 */
export function renderReferencePageAndPolicy(title: string): ReferencePage {
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
    <nav id="service" aria-label="This service"><a href="console">Back to the console</a> <a href="docs/guide">Guide</a></nav>
    <div id="reference"></div>
    <noscript>
      <p>This page needs JavaScript. Without it, read <a href="api/v1/openapi.json">the OpenAPI document</a>.</p>
    </noscript>
  </body>
</html>
`;
  return { html, policy };
}
