/**
 * Starts Scalar on the reference page. A file, because the page's policy allows no inline script. It runs before Scalar's
 * own script, which adds style elements at once: each gets the nonce of the policy, or the browser would ignore it. The
 * policy allows no `style` attribute in HTML, but it allows scripts to set styles: what Scalar writes as an attribute is set so.
 */
const { content: nonce } = document.querySelector('meta[property="csp-nonce"]');
const { createElement } = Document.prototype;
Document.prototype.createElement = function createElementWithNonce(...parameters) {
  const element = createElement.apply(this, parameters);
  if (element.localName === 'style') element.nonce = nonce;
  return element;
};
const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function setAttributeOrStyle(name, value) {
  if (name === 'style' && this.style) this.style.cssText = value;
  else setAttribute.call(this, name, value);
};
const innerHtml = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
/** Examples are `<code style="…">` in a `<pre>`; Vue gives them as `TrustedHTML`. */
Object.defineProperty(HTMLPreElement.prototype, 'innerHTML', {
  ...innerHtml,
  set(value) {
    const html = String(value);
    const [start, tag, style] = /^(<code\b[^>]*?) style="([^"]*)"/.exec(html) ?? ['', '', null];
    innerHtml.set.call(this, tag + html.slice(start.length));
    if (style !== null) this.firstElementChild.style.cssText = style;
  },
});

/** What scrolls sideways in a narrow window: the keyboard can do that only where the focus can be. */
const SCROLLED_PARTS = ['#reference pre > code', '#reference ul[aria-label$=" endpoints"]']
  .map((part) => `${part}:not([tabindex])`)
  .join();

function makeScrolledPartsFocusable() {
  for (const part of document.querySelectorAll(SCROLLED_PARTS)) part.tabIndex = 0;
}

document.addEventListener('DOMContentLoaded', () => {
  new MutationObserver(makeScrolledPartsFocusable).observe(document.querySelector('#reference'), {
    childList: true,
    subtree: true,
  });
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
