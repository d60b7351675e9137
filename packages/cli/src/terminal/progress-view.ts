import type { Progress } from 'zephyr-client';
import { type OutputStream, printSanitizedLine } from '../command.js';
import { truncateToWidth } from './truncate-to-width.js';

const BAR_WIDTH = 16;
const REDRAW_MS = 100;
export const CLEAR_LINE = '\r\u001B[2K';

/** Progress of several files: one line that is drawn again on a terminal, and a line an event elsewhere. */
export class ProgressView {
  private readonly active = new Map<string, { phase: string; share: number | null }>();
  private done = 0;
  private total = 0;
  private drawnAt = 0;
  private nextDraw: NodeJS.Timeout | undefined;

  constructor(
    private readonly output: OutputStream,
    private readonly quiet = false,
  ) {}

  /** More files, which have not begun. */
  expect(files: number): void {
    this.total += files;
  }

  update(name: string, progress: Progress): void {
    const phase = progress.phase === 'upload' ? 'uploading' : 'transcribing';
    const share = getShare(progress);
    const label = toLabel(name);
    const earlier = this.active.get(label);
    if (progress.phase === 'upload' && progress.restartReason !== undefined)
      this.print(`${label}: ${progress.restartReason} It starts again from the beginning.`);
    this.active.set(label, { phase, share });
    if (this.output.isTTY === true) this.draw();
    else if (earlier?.phase !== phase) this.print(`${label}: ${phase}`);
  }

  /** Prints a line about a file that has ended. */
  finish(name: string, message: string, isError = false): void {
    const label = toLabel(name);
    this.active.delete(label);
    this.done++;
    this.print(`${label}: ${message}`, isError);
  }

  /** Prints a line, above the bars. */
  print(line: string, isError = false): void {
    this.clear();
    if (!this.quiet || isError) printSanitizedLine(this.output, line);
    if (this.active.size > 0) this.draw(true);
  }

  clear(): void {
    clearTimeout(this.nextDraw);
    this.nextDraw = undefined;
    if (this.output.isTTY === true && !this.quiet) this.output.write(CLEAR_LINE);
  }

  /** Not more often than people can read. What was left out is drawn later. */
  private draw(now = false): void {
    if (this.quiet || this.output.isTTY !== true) return;
    const early = this.drawnAt + REDRAW_MS - Date.now();
    if (!now && early > 0) {
      this.nextDraw ??= setTimeout(() => this.draw(true), early).unref();
      return;
    }
    clearTimeout(this.nextDraw);
    this.nextDraw = undefined;
    this.drawnAt = Date.now();
    const files = [...this.active].map(([name, { phase, share }]) => `${name} ${phase}${drawBar(share)}`);
    const line = [...(this.total > 1 ? [`${this.done}/${this.total}`] : []), ...files].join('  ');
    this.output.write(`${CLEAR_LINE}${truncateToWidth(line, (this.output.columns ?? 80) - 1)}`);
  }
}

/** On one line. */
function toLabel(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '\uFFFD');
}

/** @returns 0 to 1; `null` if the whole is not known */
function getShare(progress: Progress): number | null {
  const [part, whole] =
    progress.phase === 'upload'
      ? [progress.uploadedBytes, progress.totalBytes]
      : [progress.completed, progress.total];
  return whole === null || whole === 0 ? null : Math.min(1, Math.max(0, part / whole));
}

function drawBar(share: number | null): string {
  if (share === null) return '';
  const filled = Math.round(share * BAR_WIDTH);
  return ` [${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${Math.round(share * 100)} %`;
}
