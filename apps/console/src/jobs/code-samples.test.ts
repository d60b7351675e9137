import { describe, expect, it } from 'vitest';
import { type CodeSampleRequest, JOB_CODE_SAMPLE_VARIANTS, renderCodeSample } from './code-samples.ts';
import { DEFAULT_JOB_OPTIONS_FORM_VALUES, toJobOptionsBody } from './job-options.ts';

const NAME = `it's "a" $(touch x) \`y\` \\ talk'''.mp3`;
const REQUEST: CodeSampleRequest = {
  baseUrl: 'https://speech.example/',
  apiKey: null,
  source: { kind: 'file', name: NAME, size: 12 },
  body: toJobOptionsBody({ ...DEFAULT_JOB_OPTIONS_FORM_VALUES, vocabulary: NAME, nltk: false }, NAME),
};

describe('renderCodeSample', () => {
  it.each(JOB_CODE_SAMPLE_VARIANTS)(
    '%s names the service and reads the key from the environment',
    (language) => {
      const code = renderCodeSample(language, REQUEST);
      expect(code).toContain('https://speech.example/');
      expect(code).toContain('ZEPHYR_API_KEY');
      expect(renderCodeSample(language, { ...REQUEST, apiKey: 'zk_1_2' })).toContain('zk_1_2');
    },
  );

  it('quotes names and options for the shell', () => {
    const code = renderCodeSample('curl', REQUEST);
    const quoted = NAME.replaceAll("'", String.raw`'\''`);
    expect(code).toContain(`FILE='${quoted}'\n`);
    const [, options = ''] = /^OPTIONS='(.*?[^\\])'\n/ms.exec(code) ?? [];
    expect(JSON.parse(options.replaceAll(String.raw`'\''`, "'"))).toEqual({
      ...REQUEST.body,
      file_size: null,
    });
  });

  it('quotes names and options for Python', () => {
    const code = renderCodeSample('python', REQUEST);
    const json = /r'''(.*?)'''/s.exec(code)?.[1] ?? '';
    expect(JSON.parse(json)).toEqual(REQUEST.body);
    expect(code).toContain(`open(${JSON.stringify(NAME)}, "rb")`);
  });

  it('has an address in place of a file', () => {
    const url = 'https://example.org/a.mp3';
    for (const language of ['curl', 'typescript', 'python'] as const) {
      const code = renderCodeSample(language, { ...REQUEST, source: { kind: 'url', url } });
      expect(code).toContain(`"audio_url": "${url}"`);
      expect(code).not.toMatch(/upload_url|upload\/complete|file_size/);
    }
  });
});
