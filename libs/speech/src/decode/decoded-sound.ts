import { SampleJoiner } from '../wav/sample-joiner.js';
import { StereoMixer } from './stereo-mixer.js';

/** Bytes of the header that ffmpeg prints, and where in it the number of channels is. */
const HEADER_BYTES = 44;
const CHANNELS_AT = 22;

/** Reads what ffmpeg prints for `ffmpegArguments`: a WAV header that tells of one channel or two, then 16-bit samples. */
export class DecodedSound {
  private header: Buffer = Buffer.alloc(0);
  private joiner: SampleJoiner | null = null;
  private mixer: StereoMixer | null = null;

  /** The samples that these bytes complete, of one channel. */
  push(bytes: Buffer): Int16Array {
    const joiner = this.joiner;
    if (!joiner) return this.begin(Buffer.concat([this.header, bytes]));
    const samples = joiner.push(bytes);
    return this.mixer ? this.mixer.push(samples) : samples;
  }

  private begin(bytes: Buffer): Int16Array {
    this.header = bytes;
    if (bytes.length < HEADER_BYTES) return new Int16Array(0);
    const channels = bytes.readUInt16LE(CHANNELS_AT);
    this.joiner = new SampleJoiner(channels);
    if (channels === 2) this.mixer = new StereoMixer();
    return this.push(bytes.subarray(HEADER_BYTES));
  }
}
