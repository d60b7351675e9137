import { PcmStreamDecoder } from '../wav/pcm-stream-decoder.js';
import { StereoDownmixer } from './stereo-downmixer.js';

/** Bytes of the header that ffmpeg prints, and where in it the number of channels is. */
const HEADER_BYTES = 44;
const CHANNELS_AT = 22;

/** Reads what ffmpeg prints for `buildFfmpegArguments`: a WAV header that tells of one channel or two, then 16-bit samples. */
export class FfmpegWavParser {
  private header: Buffer = Buffer.alloc(0);
  private joiner: PcmStreamDecoder | null = null;
  private mixer: StereoDownmixer | null = null;

  /** The samples that these bytes complete, of one channel. */
  push(bytes: Buffer): Int16Array {
    const joiner = this.joiner;
    if (!joiner) return this.parseHeader(Buffer.concat([this.header, bytes]));
    const samples = joiner.push(bytes);
    return this.mixer ? this.mixer.push(samples) : samples;
  }

  private parseHeader(bytes: Buffer): Int16Array {
    this.header = bytes;
    if (bytes.length < HEADER_BYTES) return new Int16Array(0);
    const channels = bytes.readUInt16LE(CHANNELS_AT);
    this.joiner = new PcmStreamDecoder(channels);
    if (channels === 2) this.mixer = new StereoDownmixer();
    return this.push(bytes.subarray(HEADER_BYTES));
  }
}
