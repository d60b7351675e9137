/**
 * Starts Scalar on the reference page. A file, because the page's policy allows no inline script. It runs before Scalar's
 * own script, which adds style elements at once: each gets the nonce of the policy, or the browser would ignore it.
 */
const { content: nonce } = document.querySelector('meta[property="csp-nonce"]');
const { createElement } = Document.prototype;
Document.prototype.createElement = function createElementWithNonce(...parameters) {
  const element = createElement.apply(this, parameters);
  if (element.localName === 'style') element.nonce = nonce;
  return element;
};

document.addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar.createApiReference('#reference', {
    url: 'docs/openapi.json',
    // Requests go where the page came from, also behind a proxy that serves the API below a path.
    servers: [{ url: new URL('.', document.baseURI).href.replace(/\/$/, '') }],
    // Nothing is loaded from elsewhere or sent elsewhere.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    // The description links to the whole document; this one is written for the page.
    documentDownloadType: 'none',
    persistAuth: false,
  });
});
