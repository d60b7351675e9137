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
  AssemblyOf,
  AssemblyOptions,
  ChunkWord,
  SpeakerTurn,
  TranscribedChunk,
} from './assemble/input.js';
export { assembleTimeline, assembleTranscript } from './assemble/assemble.js';
export { type FileWord, Timeline } from './assemble/timeline.js';
export { jsonPieces } from './export/json.js';
export { type Exporter, FormatUnavailable } from './export/exporter.js';
export { OUTPUT_TYPES, type OutputType } from './export/format.js';
export { availableFormats, exporterFor } from './export/registry.js';
export { type SpeakerNames, withNames } from './speakers/names.js';
export { cleanText } from './text/clean.js';
