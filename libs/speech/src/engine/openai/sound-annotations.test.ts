import { describe, expect, it } from 'vitest';
import { dropSoundAnnotations } from './sound-annotations.js';

const drop = (text: string) =>
  dropSoundAnnotations(text.split(' ').map((word) => ({ text: word })))
    .map((word) => word.text)
    .join(' ');

describe('dropSoundAnnotations', () => {
  it.each([
    '[BLANK_AUDIO]',
    '[ Silence ]',
    '[MUSIC PLAYING]',
    '(upbeat music)',
    '(music)',
    '*applause*',
    '♪',
    '♪ ♪',
    '(no speech)',
    '[inaudible].',
    '[Music]',
    '[ Applause ]',
    '[speaking in foreign language]',
    '[Speaking Spanish]',
    '[upbeat music playing]',
    '(dramatic music)',
  ])('no word is left of %s', (text) => {
    expect(drop(text)).toBe('');
  });

  it('what was said around one stays', () => {
    expect(drop('Good morning. [BLANK_AUDIO] How are you? (soft music)')).toBe('Good morning. How are you?');
  });

  it.each([
    'The World Health Organization (WHO) said so.',
    'We went (to hear music) last night.',
    'He said [to me and you] hello',
    'It was (the music) that I liked.',
    'She [Anna] said so.',
    'It costs (as we know) a lot.',
    'a [b c d e f g h] i',
    '*',
    'I like music)',
    '(',
  ])('%s is text', (text) => {
    expect(drop(text)).toBe(text);
  });
});
