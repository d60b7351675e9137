import type {
  ChunkFile,
  ChunkTranscription,
  EngineCapabilities,
  EngineIdentity,
  RecognitionOptions,
  SpeechEngine,
} from './engine.js';

/** Changes the transcription of another engine, and passes everything else on. */
export abstract class EngineWrapper implements SpeechEngine {
  constructor(
    protected readonly engine: SpeechEngine,
    readonly capabilities: EngineCapabilities = engine.capabilities,
  ) {}

  get packedSeconds(): number | undefined {
    return this.engine.packedSeconds;
  }

  identity(): Promise<EngineIdentity> {
    return this.engine.identity();
  }

  warmUp(terms: readonly string[]): void {
    this.engine.warmUp?.(terms);
  }

  check(): Promise<void> {
    return this.engine.check();
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  abstract transcribe(audio: ChunkFile, options: RecognitionOptions): Promise<ChunkTranscription>;
}
