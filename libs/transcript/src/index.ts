export { TRANSCRIPT_SCHEMAS } from './document-schema.js';
export type { Mark } from './sentences/marks.js';
export type {
  TranscriptDocument,
  TranscriptSegment,
  TranscriptSpeaker,
  TranscriptWarning,
  TranscriptWord,
} from './document.js';
export type {
  AssemblyInput,
  AssemblyOptions,
  ChunkWord,
  SpeakerTurn,
  TranscribedChunk,
} from './assemble/input.js';
export { assembleTranscript } from './assemble/assemble.js';
export { type Exporter, FormatUnavailable } from './export/exporter.js';
export { OUTPUT_TYPES, type OutputType } from './export/format.js';
export { availableFormats, exporterFor } from './export/registry.js';
export { type SpeakerNames, withNames } from './speakers/names.js';
export { cleanText } from './text/clean.js';
