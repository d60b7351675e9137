import { TailBuffer } from '../tool/child-process.js';

/** Bytes of errors that are kept, and of one line. */
const MAX_LOG_BYTES = 4096;

const LEVEL = /^((?:\[[^\]]{1,80} @ 0x[0-9a-f]+\] )*)\[(\w+)\] /;
const ERRORS: readonly string[] = ['error', 'fatal', 'panic'];
const FORMAT = /^Input #0, ([\w,]+), from /;
const DURATION = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)/;
const STREAM = /^ +Stream #0:\d+/;
/** A cover. */
const ATTACHED_PICTURE = /\(attached pic\)/;
const END_OF_INPUT = /^(?:Stream mapping:|Output #0)/;
const ESTIMATED = /Estimating duration from bitrate/;
const TRUNCATED = /: partial file|File ended prematurely|corrupt input packet in stream/;
/** Their files declare no length: what ffmpeg prints is the last time stamp that it found. */
const FORMATS_WITHOUT_DURATION: readonly string[] = ['mpegts', 'mpeg', 'ogg'];

/** Reads what ffmpeg says on its standard error with `-v level+info`. */
export class FfmpegLogParser {
  private readonly errors = new TailBuffer(MAX_LOG_BYTES);
  private rest = '';
  /** Of the line before: a message of several lines names it once. What comes before ffmpeg begins is an error. */
  private level = 'error';
  private inInput = false;
  private format = '';
  private duration: number | null = null;
  private estimated = false;
  private truncated = false;
  private streams = 0;

  push(bytes: Buffer): void {
    const lines = (this.rest + bytes.toString('latin1')).split('\n');
    this.rest = (lines.pop() ?? '').slice(0, MAX_LOG_BYTES);
    for (const line of lines) this.read(line);
  }

  /** The end of its errors, as `-v error` prints them; what a file says of itself is not among them. */
  toString(): string {
    if (this.rest !== '') this.read(this.rest);
    this.rest = '';
    return this.errors.toString();
  }

  /**
   * Seconds that the file declares. Null where it declares none, or where that may be the length of another stream: a
   * file of several is believed only when it broke off.
   */
  get declaredSeconds(): number | null {
    if (this.estimated || FORMATS_WITHOUT_DURATION.includes(this.format)) return null;
    return this.streams > 1 && !this.truncated ? null : this.duration;
  }

  private read(line: string): void {
    const [tag = '', source = '', level = this.level] = LEVEL.exec(line) ?? [];
    this.level = level;
    const text = line.slice(tag.length);
    if (ERRORS.includes(level)) this.errors.push(Buffer.from(`${source}${text}\n`, 'latin1'));
    if (level === 'info') this.readInput(text);
    else if (ESTIMATED.test(text)) this.estimated = true;
    else if (TRUNCATED.test(text)) this.truncated = true;
  }

  private readInput(text: string): void {
    const [, format] = FORMAT.exec(text) ?? [];
    if (format !== undefined) this.format = format;
    if (format !== undefined || END_OF_INPUT.test(text)) this.inInput = format !== undefined;
    if (!this.inInput) return;
    if (STREAM.test(text) && !ATTACHED_PICTURE.test(text)) this.streams += 1;
    const [, hours, minutes, seconds] = DURATION.exec(text) ?? [];
    if (seconds !== undefined)
      this.duration ??= Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  }
}
