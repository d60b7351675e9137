import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../lib/root.mjs';
import { renderHttpReference } from './http-reference.mjs';

const document = JSON.parse(await readFile(join(ROOT, 'docs/openapi.json'), 'utf8'));
const page = renderHttpReference(document);
const getSection = (title) => page.split('\n### ').find((section) => section.startsWith(`${title}\n`)) ?? '';

describe('the page of all routes', () => {
  it('has every route of the OpenAPI document', () => {
    for (const [path, item] of Object.entries(document.paths))
      for (const method of Object.keys(item))
        expect(getSection(`${method.toUpperCase()} ${path}`), path).toMatch(/\| 20[04] \|/);
  });

  it('has the fields of a body with alternatives and parts', () => {
    const section = getSection('POST /api/v1/upload');
    expect(section).toContain('| `file_size` | integer |');
    expect(section).toContain('| `audio_url` | string |');
    expect(section).toMatch(/\| `output_type` \| string: `json`, /);
  });

  it('says which fields and parameters are required', () => {
    expect(getSection('POST /api/v1/upload/multipart/create')).toContain(
      '| `file_size` | integer, required |',
    );
    expect(getSection('GET /api/v1/jobs/{job_id}')).toMatch(/\| `job_id` \| path \| string, required \|/);
  });
});
