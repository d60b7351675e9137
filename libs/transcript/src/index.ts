export { buildTranscriptJsonSchema, TRANSCRIPT_OPENAPI_SCHEMAS } from './document-schema.js';
export type { PunctuationMark } from './sentences/punctuation-marks.js';
export type {
  TranscriptDocument,
  TranscriptParagraph,
  TranscriptSegment,
  TranscriptSpeaker,
  TranscriptTurn,
  TranscriptWarning,
  TranscriptWord,
} from './transcript-document.js';
export type { AssemblyInput, SpeakerTurn, TranscribedChunk } from './assemble/assembly-input.js';
export { assembleTranscriptMutatingTimelines, assembleTranscript } from './assemble/assemble-transcript.js';
export { ChannelWordTimelines, type TimelineWord } from './assemble/timeline.js';
export { renderJsonBuffers } from './export/json-exporter.js';
export { TRANSCRIPT_FORMATS, type TranscriptFormat } from './export/exporter.js';
export { type CaptionLayout, DEFAULT_CAPTION_LAYOUT } from './export/cues/caption-layout.js';
export { getExporter } from './export/exporter-registry.js';
export { type SpeakerNames, replaceSpeakerNames } from './speaker-names/speaker-names.js';
export { redactText } from './redact/redact-words.js';
export { REDACTION_KINDS, type RedactionKind } from './redact/redaction-kinds.js';
export { dropFillersMutatingWords } from './fillers/drop-fillers.js';
export { addSpacesOfText } from './text/add-spaces-of-text.js';
export { joinWords, needsSpaceBetweenSentences } from './text/join-words.js';
export { sanitizeToSingleLine } from './text/sanitize-to-single-line.js';
