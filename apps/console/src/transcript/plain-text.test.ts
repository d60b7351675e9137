import { describe, expect, it } from 'vitest';
import { renderPlainText } from './plain-text.ts';

const segment = (id: number, speaker: string | null, text: string) => ({
  id,
  start: id,
  end: id + 1,
  text,
  language: null,
  speaker,
  words: null,
});

describe('renderPlainText', () => {
  const document = {
    duration: 4,
    language: 'en',
    warnings: [],
    speakers: [
      { id: 'SPEAKER_1', name: 'Ada' },
      { id: 'SPEAKER_2', name: null },
    ],
    segments: [
      segment(0, 'SPEAKER_1', 'Good morning.'),
      segment(1, 'SPEAKER_1', 'How ar you?'),
      segment(2, 'SPEAKER_2', 'Fine.'),
      segment(3, null, 'Bye.'),
    ],
  };

  it('has turns with names, and corrections in place of the original', () => {
    expect(renderPlainText(document, new Map([[1, 'How are you?']]))).toBe(
      'Ada: Good morning. How are you?\n\nSpeaker 2: Fine.\n\nBye.',
    );
  });

  it('puts no space between Chinese or Japanese sentences', () => {
    const texts = ['你好。', '今天开会。', 'OK.', '好。', 'コーヒー', 'を飲む'];
    const segments = texts.map((text, index) => segment(index, null, text));
    expect(renderPlainText({ ...document, segments }, new Map())).toBe(
      '你好。今天开会。OK. 好。コーヒーを飲む',
    );
  });
});
