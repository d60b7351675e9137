import { TailBuffer } from '../tool/child-process.js';

/** Limits the retained errors and the length of a line. */
const MAX_LOG_BYTES = 4096;

const LEVEL = /^((?:\[[^\]]{1,80} @ 0x[0-9a-f]+\] )*)\[(\w+)\] /;
const ERRORS: readonly string[] = ['error', 'fatal', 'panic'];
const FORMAT = /^Input #0, ([\w,]+), from /;
const DURATION = /^ {2}Duration: (\d+):(\d\d):(\d\d\.\d+)(?:, start: (\d+\.\d+))?/;
const STREAM = /^ +Stream #0:\d+/;
const AUDIO_STREAM = /^ +Stream #0:(\d+)(?:\D.*)?: Audio: /;
/** Newer versions name the stream in front of the message. */
const GUESSED_LAYOUT =
  /^(?:\[aist#0:(\d+)\/.*)?Guessed Channel Layout(?: for +Input Stream #0\.(\d+) )?: (.+)$/;
/** Layouts are named by their numbers of other channels and of bass channels, such as `5.1` or `7.1(wide)`. */
const WITH_BASS = /^\d\.1/;
/** Cover art. */
const ATTACHED_PICTURE = /\(attached pic\)/;
const END_OF_INPUT = /^(?:Stream mapping:|Output #0)/;
const ESTIMATED = /Estimating duration from bitrate/;
const TRUNCATED = /: partial file|File ended prematurely|corrupt input packet in stream/;
/** Formats that declare no duration: ffmpeg prints the last timestamp instead, of which few are exact. */
const FORMATS_WITHOUT_DURATION: readonly string[] = ['mpegts', 'mpeg'];
/** The last timestamp is exact. It shows damage before it, not that the end is missing. */
const FORMAT_WITH_LAST_TIMESTAMP = 'ogg';

/** Parses ffmpeg's log with `-v level+info`. */
export class FfmpegLogParser {
  private readonly errors = new TailBuffer(MAX_LOG_BYTES);
  private rest = '';
  /** Level of the previous line, for multi-line messages; output before the first prefix is an error. */
  private level = 'error';
  private inInput = false;
  private format = '';
  private duration: number | null = null;
  private estimated = false;
  private truncated = false;
  private isDecoding = false;
  private hasErrorsOfDecoding = false;
  private streams = 0;
  private lines = 0;
  private firstAudioStream: string | undefined;
  private readonly streamsWithGuessedBass = new Set<string>();

  push(bytes: Buffer): void {
    const lines = (this.rest + bytes.toString('latin1')).split('\n');
    this.rest = (lines.pop() ?? '').slice(0, MAX_LOG_BYTES);
    for (const line of lines) this.read(line);
  }

  toString(): string {
    if (this.rest !== '') this.read(this.rest);
    this.rest = '';
    return this.errors.toString();
  }

  /** Whether ffmpeg has written anything. What its sandbox or the loader of programs writes has no level. */
  get hasMessages(): boolean {
    return this.lines > 0;
  }

  /**
   * Seconds that the file declares, else null. With several streams the duration may be that of another one, so it only
   * counts if the log reports truncation.
   */
  get declaredSeconds(): number | null {
    if (this.estimated || FORMATS_WITHOUT_DURATION.includes(this.format)) return null;
    return this.streams > 1 && !this.truncated ? null : this.duration;
  }

  /** Whether something could not be read or decoded after the start of the output. */
  get hasDecodingErrors(): boolean {
    return this.hasErrorsOfDecoding;
  }

  /**
   * Whether ffmpeg takes a channel of the first audio stream for the bass although the file does not say so. It is known
   * once ffmpeg has written output.
   */
  get hasGuessedBass(): boolean {
    return this.firstAudioStream !== undefined && this.streamsWithGuessedBass.has(this.firstAudioStream);
  }

  private read(line: string): void {
    const [tag = '', source = '', level = this.level] = LEVEL.exec(line) ?? [];
    if (tag !== '') this.lines += 1;
    this.level = level;
    const text = line.slice(tag.length);
    if (ERRORS.includes(level)) {
      this.hasErrorsOfDecoding ||= this.isDecoding;
      this.errors.push(Buffer.from(`${source}${text}\n`, 'latin1'));
    }
    const [, newName, name = newName, layout = ''] = GUESSED_LAYOUT.exec(source + text) ?? [];
    if (name !== undefined && WITH_BASS.test(layout)) this.streamsWithGuessedBass.add(name);
    if (level === 'info') this.readInput(text);
    else if (ESTIMATED.test(text)) this.estimated = true;
    else if (TRUNCATED.test(text)) this.truncated = true;
  }

  private readInput(text: string): void {
    const [, format] = FORMAT.exec(text) ?? [];
    if (format !== undefined) this.format = format;
    if (END_OF_INPUT.test(text)) this.isDecoding = true;
    if (format !== undefined || END_OF_INPUT.test(text)) this.inInput = format !== undefined;
    if (!this.inInput) return;
    this.firstAudioStream ??= AUDIO_STREAM.exec(text)?.[1];
    if (STREAM.test(text) && !ATTACHED_PICTURE.test(text)) this.streams += 1;
    const [, hours, minutes, seconds, start = 0] = DURATION.exec(text) ?? [];
    if (seconds === undefined) return;
    const end = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    // A recording of a running stream starts late.
    this.duration ??= this.format === FORMAT_WITH_LAST_TIMESTAMP ? end - Number(start) : end;
  }
}
