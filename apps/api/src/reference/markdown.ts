import { Html, html } from './html.js';

const FENCE = /^```(\w*)\n([\s\S]*?)\n```$/;

/** The little of Markdown that the descriptions use: paragraphs, `###` headings, fenced code, `code` within a line. */
export function markdown(text: string): Html {
  return html`${blocksOf(text).map(block)}`;
}

/** Of one line. */
export function inline(text: string): Html {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${parts}`;
}

export function headings(text: string): string[] {
  return blocksOf(text)
    .filter((part) => part.startsWith('### '))
    .map((part) => part.slice(4));
}

/** For the address of a heading. */
export function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function block(text: string): Html {
  const [, language, code] = FENCE.exec(text) ?? [];
  if (code !== undefined) return codeBlock(code, language);
  if (text.startsWith('### ')) {
    const title = text.slice(4);
    return html`<h3 id="${anchor(title)}">${inline(title)}</h3>`;
  }
  return html`<p>${inline(text)}</p>`;
}

/** Long lines scroll, with the keyboard as well. */
export function codeBlock(code: string, language = ''): Html {
  return html`<pre tabindex="0" class="${language}"><code>${code}</code></pre>`;
}

/** Split at empty lines, those within a fence excepted. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  for (const piece of text.split('\n\n')) {
    const last = blocks.at(-1);
    if (last?.startsWith('```') && !last.endsWith('\n```')) blocks[blocks.length - 1] = `${last}\n\n${piece}`;
    else blocks.push(piece);
  }
  return blocks;
}
