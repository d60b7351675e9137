import { withSpan } from '@app/runtime';
import type { SpeechEngine } from '@app/speech';

/** @returns the same engine, with a span around each recognition */
export function wrapEngineWithTracing(engine: SpeechEngine, name: string): SpeechEngine {
  const transcribe: SpeechEngine['transcribe'] = (audio, options) =>
    withSpan('recognise', { attributes: { 'zephyr.engine': name } }, () => engine.transcribe(audio, options));
  return Object.create(engine, { transcribe: { value: transcribe } }) as SpeechEngine;
}
