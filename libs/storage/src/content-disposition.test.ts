import { describe, expect, it } from 'vitest';
import { attachmentHeader } from './content-disposition.js';

describe('attachmentHeader', () => {
  it('keeps a plain file name', () => {
    expect(attachmentHeader('talk.json')).toBe(
      `attachment; filename="talk.json"; filename*=UTF-8''talk.json`,
    );
  });

  it('writes other scripts in UTF-8 with an ASCII fallback', () => {
    expect(attachmentHeader('Größe.txt')).toBe(
      `attachment; filename="Gr__e.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt`,
    );
  });

  it.each(['a"; filename="b', 'a\r\nX-Evil: 1', 'a\0b', '../../etc/passwd', "it's (1)*.txt", '\ud800'])(
    'does not let %j end the value or add a header',
    (name) => {
      expect(attachmentHeader(name)).toMatch(
        /^attachment; filename="[^"\\/%\r\n\0]*"; filename\*=UTF-8''[\w%.!~-]*$/,
      );
    },
  );
});
