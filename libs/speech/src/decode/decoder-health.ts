import { runTool } from '../tool/run-tool.js';
import { type ExternalTool, locateRequiredTool } from '../tool/tool.js';

export const FFMPEG_TOOL: ExternalTool = {
  name: 'ffmpeg',
  install: 'Install it with `apt install ffmpeg` (Debian, Ubuntu) or `brew install ffmpeg` (macOS).',
};

/** Of address space, libraries included. */
export const DECODER_MEMORY_BYTES = 512 * 1024 * 1024;

/** Whether this machine can decode. Starting ffmpeg costs more than looking for it, so it is only tried after a failed start. */
export class DecoderHealth {
  private hasFailedToStart = false;

  constructor(
    private readonly locate: () => Promise<unknown>,
    private readonly start: () => Promise<unknown>,
  ) {}

  reportFailedStart(): void {
    this.hasFailedToStart = true;
  }

  /** @throws like `locate`; after a failed start like `start`, until it succeeds */
  async check(): Promise<void> {
    await this.locate();
    if (!this.hasFailedToStart) return;
    await this.start();
    this.hasFailedToStart = false;
  }
}

export const decoderHealth = new DecoderHealth(
  () => locateRequiredTool(FFMPEG_TOOL),
  () =>
    runTool({
      tool: FFMPEG_TOOL,
      args: ['-version'],
      limits: { memoryBytes: DECODER_MEMORY_BYTES, cpuSeconds: 10, fileBytes: 0, wallSeconds: 10 },
      signal: new AbortController().signal,
    }),
);

/** @throws ToolMissingError; ToolFailedError or ToolTimeoutError while ffmpeg does not start in its sandbox */
export function checkDecoder(): Promise<void> {
  return decoderHealth.check();
}
