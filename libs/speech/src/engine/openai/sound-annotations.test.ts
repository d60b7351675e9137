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
    '(upbeat electronic music)',
    '(music and applause)',
    '[Musik]',
    '[Música]',
    '[Musique]',
    '[Applaus]',
    '[音楽]',
    '[Rires]',
    '[upbeat electronic music]',
    '[Music and applause]',
    '[door opens]',
    '[no audio]',
    '[Musik] [applaus]',
  ])('no word is left of %s', (text) => {
    expect(drop(text)).toBe('');
  });

  it('what was said around one stays', () => {
    expect(drop('Good morning. [BLANK_AUDIO] How are you? (soft music)')).toBe('Good morning. How are you?');
  });

  it.each([
    ['[Musik] Guten Morgen. [Tür fällt zu] Wie geht es? [Lachen]', 'Guten Morgen. Wie geht es?'],
    ['¡Hola! [aplausos] 20 personas', '¡Hola! 20 personas'],
    ['おはよう。 [音楽] 元気？', 'おはよう。 元気？'],
    ['អរគុណ។ [តន្ត្រី] សួស្តី', 'អរគុណ។ សួស្តី'],
    ['we heard [soft piano music] then', 'we heard then'],
    ['we heard [BLANK_AUDIO] then', 'we heard then'],
    ['we heard [LOUD_MUSIC PLAYING] then', 'we heard then'],
    ['we heard [_TT_50] then', 'we heard then'],
  ])('square brackets that stand alone as a sentence are no words: %s', (text, expected) => {
    expect(drop(text)).toBe(expected);
  });

  it.each([
    'The World Health Organization (WHO) said so.',
    'We went (to hear music) last night.',
    'He said [to me and you] hello',
    'It was (the music) that I liked.',
    'She [Anna] said so.',
    '[Anna] said so.',
    'Yes. [They] said so.',
    'We went to [Paris] Hello',
    '(I like music)',
    'It costs (as we know) a lot.',
    'a [b c d e f g h] i',
    '*',
    'call me at [PHONE] please',
    '[REDACTED] said [NAME] lives',
    'see note [5] and [1990]',
    'she was born in [1990].',
    'it is [CREDIT_CARD] today',
    'I like music)',
    '(',
  ])('%s is text', (text) => {
    expect(drop(text)).toBe(text);
  });
});
