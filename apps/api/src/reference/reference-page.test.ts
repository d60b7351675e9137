import { readFileSync } from 'node:fs';
import { CATALOGUE_ENTRIES } from '@app/errors';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiDocument } from '../openapi/document-types.js';
import { previewDocument } from '../openapi/preview.js';
import { html } from './html.js';
import { inline, markdown } from './markdown.js';
import { referencePage } from './reference-page.js';

let document: ApiDocument;
let page: string;

beforeAll(async () => {
  document = await previewDocument();
  page = referencePage(document);
});

const all = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, found = '']) => found);

describe('the reference page', () => {
  it('has every route, every webhook, every field of a body and every code', () => {
    const ids = all(/<article id="(\w+)"/g);
    const routes = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap(
      Object.values,
    );
    expect(ids.toSorted()).toEqual(routes.map(({ operationId }) => operationId as string).toSorted());
    for (const name of ['JobOptions', 'CompletedNotification', 'TranscriptDocument', 'MultipartResponse'])
      for (const field of Object.keys(document.components.schemas[name]?.properties ?? {}))
        expect(page, `${name}.${field}`).toContain(`<code>${field}</code>`);
    for (const [code, { when, remedy }] of CATALOGUE_ENTRIES)
      for (const part of [`<code>${code}</code>`, inline(when).text, inline(remedy).text])
        expect(page).toContain(part);
    for (const part of ['segments[].words[].start', 'parts[].etag', 'X-SVC-Signature', 'compare_digest'])
      expect(page).toContain(part);
  });

  it('tells the version of the interface from that of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(page).toContain(`Interface version 1.0.0, served by zephyr ${version}.`);
  });

  it('shows the routes for OpenAI’s clients under their own heading, with the form, the formats and the events', () => {
    const section = page.split('<h2 id="about-openai">')[1]?.split('<h2 ')[0] ?? '';
    for (const id of ['createTranscription', 'listModels', 'getModel'])
      expect(section).toContain(`<article id="${id}">`);
    for (const part of [
      '-F file=@talk.mp3',
      '$OPENAI_BASE_URL/audio/transcriptions',
      'Authorization: Bearer $KEY',
      '<code>timestamp_granularities[]</code>',
      '<code>segments[].avg_logprob</code>',
      'verbose_json, with segments and words',
      '<code>text/vtt</code>',
      '<code>transcript.text.delta</code>',
      '<code>insufficient_quota</code>',
      '<code>model_not_found</code>',
    ])
      expect(section).toContain(part);
  });

  it('loads nothing from elsewhere and runs nothing', () => {
    expect(page).not.toMatch(/<script|\son\w+=|style=/i);
    expect(all(/(?:src|href)="([^"]*)"/g).filter((address) => /^(\w+:)?\/\//.test(address))).toEqual([]);
  });

  it('has a target for every link within it, and no id twice', () => {
    const ids = all(/\sid="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    expect(all(/href="#([^"]*)"/g).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('says what a reader needs first: key, walk-through, errors, limits', () => {
    for (const id of ['authenticate', 'from-a-file-to-a-transcript', 'errors', 'rate-limits'])
      expect(page).toContain(`<h3 id="${id}">`);
  });

  it('has the address of this service in its commands', () => {
    const here = referencePage(document, 'https://speech.example.com');
    expect(here).toContain('API=https://speech.example.com/api/v1');
    expect(here).toContain('OPENAI_BASE_URL=https://speech.example.com/v1');
    expect(here).not.toContain('127.0.0.1');
  });
});

describe('html', () => {
  it('escapes what is put in, but not what is HTML already', () => {
    const bad = `<b title="it's">&</b>`;
    expect(html`<p>${bad}${html`<i>${1}</i>`}${[undefined, false, 'x']}</p>`.text).toBe(
      '<p>&lt;b title=&quot;it&#39;s&quot;&gt;&amp;&lt;/b&gt;<i>1</i>x</p>',
    );
  });
});

describe('markdown', () => {
  it('knows paragraphs, headings, code and fences with empty lines in them', () => {
    expect(
      markdown('### A b\n\nuse `x < y`\n\n```sh\none\n\ntwo\n```').text.replaceAll(/\s*\n\s*(?=<)/g, ''),
    ).toBe(
      '<h3 id="a-b">A b</h3><p>use <code>x &lt; y</code></p><pre tabindex="0" class="sh"><code>one\n\ntwo</code></pre>',
    );
  });
});
