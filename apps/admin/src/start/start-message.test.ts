import { expect, it } from 'vitest';
import { formatStartMessage } from './start-message.js';

const ADDRESS = 'https://speech.example';

it('the message of the start has the URLs of interface, reference, guide and console', () => {
  const [title, ...lines] = formatStartMessage(ADDRESS, {}, null).trimEnd().split('\n');
  expect(title).toMatch(/^zephyr \S+ is ready \(Ctrl-C ends it\)$/);
  expect(lines).toEqual([
    `  API        ${ADDRESS}/api/v1`,
    `  Reference  ${ADDRESS}/docs`,
    `  Guide      ${ADDRESS}/docs/guide`,
    `  Console    ${ADDRESS}/console/`,
  ]);
});

it('the message of the start names the engine, and no files of key and link that do not exist', () => {
  const message = formatStartMessage(ADDRESS, { keyFile: '/none/key', linkFile: '/none/link' }, 'sherpa, x');
  expect(message).not.toContain('/none');
  expect(message).toContain('\n  Engine     sherpa, x\n');
});
