import type { OpenAiOptions } from '@app/speech';
import type { HeardRequest, Responder } from './fake-transcription-server.js';

/** A product with OpenAI's transcription route: what it answers, by its documentation or source. */
export interface RemoteServer {
  name: string;
  /** The settings that its documentation calls for. */
  options: Partial<OpenAiOptions>;
  respond: Responder;
  /** Where word times come from. */
  times: 'measured' | 'estimated';
  /** What the engine makes of the answer. */
  language: 'en' | null;
  hearsVocabulary: boolean;
  /** Requests for the first chunk, until one form is accepted. */
  firstRequests: number;
}

const isVerbose = ({ fields }: HeardRequest) => fields.response_format?.[0] === 'verbose_json';
const wantsWords = ({ fields }: HeardRequest) =>
  fields['timestamp_granularities[]']?.includes('word') ?? false;
const ok = (body: unknown) => ({ status: 200, body });
const usage = ({ duration }: HeardRequest) => ({ type: 'duration', seconds: Math.ceil(duration) });

function span({ words }: HeardRequest): { start: number; end: number } {
  return { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
}

/** Words as Whisper's tokenizer writes them: with a leading space, and with the punctuation of the text. */
function writeSpacedWords({ text, words }: HeardRequest) {
  const written = text.split(' ');
  return words.map((word, index) => ({ ...word, word: ` ${written[index] ?? word.word}` }));
}

function whisperSegments(heard: HeardRequest, extra: object = {}): object[] {
  const { text, words } = heard;
  if (words.length === 0) return [];
  return [{ id: 0, seek: 0, ...span(heard), text: ` ${text}`, tokens: [50365], temperature: 0, ...extra }];
}

const MEASURES = { avg_logprob: -0.2, compression_ratio: 1.1, no_speech_prob: 0.02 };

const openaiWhisper: Responder = (heard) =>
  ok(
    isVerbose(heard)
      ? {
          ...{ task: 'transcribe', language: 'english', duration: heard.duration, text: heard.text },
          segments: whisperSegments(heard, MEASURES),
          ...(wantsWords(heard) && {
            words: heard.words.map(({ word, start, end }) => ({ word, start, end })),
          }),
          usage: usage(heard),
        }
      : { text: heard.text, usage: usage(heard) },
  );

const openaiGpt: Responder = (heard) =>
  isVerbose(heard)
    ? {
        status: 400,
        body: {
          error: {
            message: "response_format 'verbose_json' is not compatible with this model.",
            ...{ type: 'invalid_request_error', param: 'response_format', code: 'unsupported_value' },
          },
        },
      }
    : ok({
        text: heard.text,
        usage: { type: 'tokens', input_tokens: 14, output_tokens: 9, total_tokens: 23 },
      });

const speachesWhisper: Responder = (heard) =>
  ok(
    isVerbose(heard)
      ? {
          ...{ duration: heard.duration, language: 'en', text: ` ${heard.text}`.trim() },
          segments: whisperSegments(heard, MEASURES),
          words: wantsWords(heard) ? writeSpacedWords(heard) : null,
          usage: null,
        }
      : { text: heard.text, logprobs: null, usage: null },
  );

/** FastAPI's answer to an error that the route does not handle. */
const speachesParakeet: Responder = (heard) =>
  isVerbose(heard)
    ? { status: 500, body: 'Internal Server Error' }
    : ok({ text: heard.text, logprobs: null, usage: null });

function tokensOf(heard: HeardRequest): object[] {
  return writeSpacedWords(heard).flatMap(({ word, start, end, probability = 0.9 }) => {
    const [, stem = '', mark = ''] = /^(.*?)([,.]?)$/.exec(word) ?? [];
    const half = Math.ceil(stem.length / 2);
    const token = { start, end, t_dtw: -1, probability };
    const parts = [stem.slice(0, half), stem.slice(half), mark].filter((part) => part !== '');
    return parts.map((part) => ({ ...token, word: part }));
  });
}

/** What whisper.cpp writes for audio without speech. */
const BLANK = { text: '[BLANK_AUDIO]', words: [{ word: '[BLANK_AUDIO]', start: 0, end: 1 }] };

const whisperCpp: Responder = (heard) => {
  const { text, fields, duration } = heard;
  const { no_speech_prob, avg_logprob } = MEASURES;
  const language = fields.language?.[0] === 'auto' ? { language: 'english' } : { language: 'en' };
  if (text === '') return whisperCpp({ ...heard, ...BLANK });
  if (!isVerbose(heard)) return ok({ text: ` ${text}\n` });
  const segment = { id: 0, text: ` ${text}`, ...span(heard), tokens: [50365], words: tokensOf(heard) };
  return ok({
    ...{ task: 'transcribe', ...language, duration, text: ` ${text}\n` },
    ...{ detected_language: 'english', detected_language_probability: 0.98 },
    language_probabilities: { en: 0.98 },
    segments: [{ ...segment, temperature: 0, avg_logprob, no_speech_prob }],
  });
};

const localAi: Responder = (heard) => {
  const words = wantsWords(heard)
    ? heard.words.map(({ word, start, end }) => ({ start, end, text: word }))
    : [];
  const segments = isVerbose(heard) ? whisperSegments(heard, words.length > 0 ? { words } : {}) : [];
  const lists = { ...(segments.length > 0 && { segments }), ...(words.length > 0 && { words }) };
  return ok({ ...(isVerbose(heard) && lists), text: heard.text, language: 'en', duration: heard.duration });
};

const vllmWhisper: Responder = (heard) =>
  ok(
    isVerbose(heard)
      ? {
          ...{ duration: String(heard.duration), language: 'en', text: ` ${heard.text}` },
          segments: whisperSegments(heard, { ...MEASURES, no_speech_prob: null }),
          words: null,
        }
      : { text: heard.text, usage: usage(heard) },
  );

const vllmOther: Responder = (heard) =>
  isVerbose(heard)
    ? {
        status: 400,
        body: {
          error: {
            message: 'Currently do not support verbose_json for Qwen/Qwen3-ASR-1.7B',
            ...{ type: 'BadRequestError', param: null, code: 400 },
          },
        },
      }
    : ok({ text: heard.text, usage: usage(heard) });

const nim: Responder = (heard) => {
  if (!heard.fields.language?.[0]) return { status: 400, body: { detail: 'language is required' } };
  return isVerbose(heard)
    ? { status: 422, body: { detail: 'response_format must be json or text' } }
    : ok({ text: heard.text });
};

const measured = { times: 'measured', hearsVocabulary: true, firstRequests: 1 } as const;
const textOnly = { times: 'estimated', hearsVocabulary: true, language: null, firstRequests: 3 } as const;

export const REMOTE_SERVERS: readonly RemoteServer[] = [
  { ...measured, name: 'OpenAI whisper-1', options: {}, respond: openaiWhisper, language: 'en' },
  { ...textOnly, name: 'OpenAI gpt-4o-transcribe', options: {}, respond: openaiGpt },
  {
    ...measured,
    name: 'speaches with Whisper',
    options: { vocabularyFields: ['hotwords'] },
    respond: speachesWhisper,
    language: 'en',
  },
  // Two attempts fail with 500; the third falls back.
  {
    ...textOnly,
    name: 'speaches with Parakeet',
    options: {},
    respond: speachesParakeet,
    hearsVocabulary: false,
    firstRequests: 5,
  },
  {
    ...measured,
    name: 'whisper.cpp',
    options: { formFields: [['language', 'auto']] },
    respond: whisperCpp,
    language: 'en',
  },
  { ...measured, name: 'LocalAI', options: {}, respond: localAi, language: 'en' },
  {
    ...{ name: 'vLLM with Whisper', options: {}, respond: vllmWhisper },
    ...{ times: 'estimated', language: 'en', hearsVocabulary: true, firstRequests: 1 },
  },
  {
    ...textOnly,
    name: 'vLLM with another model',
    options: { vocabularyFields: ['prompt', 'hotwords'] },
    respond: vllmOther,
  },
  {
    ...textOnly,
    name: 'NVIDIA speech NIM',
    options: { formFields: [['language', 'en-US']] },
    respond: nim,
    hearsVocabulary: false,
  },
];
