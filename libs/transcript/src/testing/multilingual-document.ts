import type { TranscriptDocument, TranscriptSegment } from '../transcript-document.js';
import { buildDocument } from './samples.js';

type Turn = [start: number, speaker: string | null, language: string | null, ...sentences: string[]];

/** A talk of two hours in seven scripts: what the formats must set right, in one document. */
const TURNS: Turn[] = [
  [
    0.4,
    'SPEAKER_1',
    'en',
    'Good morning, everyone, and welcome to the third meeting of the working group.',
    'Before we begin, a word about the recording: it is transcribed as we speak, and each of you can correct it afterwards.',
    "We have guests from Cairo, Jerusalem, Delhi, Beijing, Tokyo and Seoul, so there'll be a few languages.",
    'Thank you all for coming.',
  ],
  [17.2, 'SPEAKER_2', 'en', 'Thanks, Ada.', 'Can everyone hear me?'],
  [19.9, 'SPEAKER_1', 'en', 'Yes.'],
  [
    21,
    'SPEAKER_2',
    'he',
    'בוקר טוב לכולם, ותודה על ההזמנה.',
    'המערכת שלנו, ZEPHYR 2.1, מתמללת 120 שעות ביום (בערך 95% מהן בעברית).',
    'WebVTT הוא הפורמט שבו אנחנו משתמשים לכתוביות.',
  ],
  [
    42.5,
    'SPEAKER_3',
    'ar',
    'صباح الخير، وشكراً جزيلاً على الدعوة.',
    'نستخدم نظام PostgreSQL 18 منذ عام 2026، ونحن راضون عنه تماماً.',
    'هل تسمعونني جيداً؟',
  ],
  [
    58,
    'SPEAKER_4',
    'hi',
    'नमस्ते, मैं दिल्ली से बोल रही हूँ।',
    'हमारी टीम ने पिछले वर्ष क्षेत्रीय भाषाओं के लिए श्रुतलेख का काम किया।',
  ],
  [
    71.3,
    'SPEAKER_5',
    'zh',
    '大家好，我在北京。',
    '今天我们讨论语音识别系统的可靠性问题，以及如何处理失败的任务和重复的消息，骨直刃。',
  ],
  [
    84,
    'SPEAKER_6',
    'ja',
    'おはようございます、東京の山田です。',
    '音声認識の結果を確認しながら、字幕の改行位置を直しています、骨直刃。',
  ],
  [
    97.4,
    'SPEAKER_7',
    'ko',
    '안녕하세요, 서울에서 인사드립니다.',
    '오늘 회의에서는 자막의 길이와 시간에 대해 이야기하겠습니다.',
  ],
  [
    110,
    'SPEAKER_1',
    'en',
    'Thank you. Now, names that are hard to write: Þórður Ólafsson, Nguyễn Thị Hương, Ελένη Παπαδοπούλου, Юлия Щербакова, Łukasz Żółć.',
  ],
  [
    121,
    null,
    null,
    'Someone asks whether <b>, &amp;, a --> b, {\\an8}, #let x = 1 and *stars* survive: they do 👍🏽.',
  ],
  [3600.25, 'SPEAKER_2', 'en', 'An hour has gone by.', 'The word שלום means peace, and so does سلام.'],
  [
    3606.1,
    'SPEAKER_3',
    'ar',
    'Google و Microsoft شركتان كبيرتان، والسؤال هو: ماذا نفعل نحن؟',
    'سنواصل العمل حتى الساعة 17:30.',
  ],
  [
    7201,
    'SPEAKER_1',
    'en',
    'That was the last point on the list, and after two hours of talk in seven scripts we have earned a break.',
    'Antidisestablishmentarianism-and-pneumonoultramicroscopicsilicovolcanoconiosis, as someone once said.',
    'Good bye.',
  ],
];

const SECONDS_PER_CHARACTER = 0.062;
const PAUSE = 0.35;

/** Segments with times for every word: each takes as long as its letters, pauses are between sentences. */
function toSegments([start, speaker, language, ...sentences]: Turn): Partial<TranscriptSegment>[] {
  let at = start;
  return sentences.map((text) => {
    const began = at;
    const words = text.split(' ').map((word) => {
      const from = at;
      at += word.length * SECONDS_PER_CHARACTER;
      return {
        word,
        start: thousandths(from),
        end: thousandths(at),
        confidence: 0.9,
        speaker,
        language,
        estimated: false,
        redacted: null,
        channel: null,
      };
    });
    const end = thousandths(at);
    at += PAUSE;
    return { start: thousandths(began), end, speaker, language, text, words, confidence: 0.9 };
  });
}

const thousandths = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The talk as it is stored; some of its voices have names. */
export function buildMultilingualDocument(): TranscriptDocument {
  const ids = ['SPEAKER_1', 'SPEAKER_2', 'SPEAKER_3', 'SPEAKER_4', 'SPEAKER_5', 'SPEAKER_6', 'SPEAKER_7'];
  const names = ['Dr. Ada Lovelace', 'רות כהן', null, 'प्रिया शर्मा', '李雷', '山田 太郎', '김민지'];
  return {
    ...buildDocument(TURNS.flatMap(toSegments), 7215.5),
    languages: ['en', 'he', 'ar', 'hi', 'zh', 'ja', 'ko'],
    speakers: ids.map((id, at) => ({ id, name: names[at] ?? null, duration: 10, channel: null })),
    confidence: 0.9,
  };
}
