/** IDs of Matroska elements (RFC 9559). */
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const AUDIO = 0xe1;
const CHANNELS = 0x9f;
const CLUSTER = 0x1f43b675;
const TIMESTAMP = 0xe7;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;

/** Elements whose content is parsed, too. Their ends do not matter, because each element is recognised by its ID. */
const CONTAINERS: readonly number[] = [SEGMENT, TRACKS, TRACK_ENTRY, AUDIO, CLUSTER, BLOCK_GROUP];
const NUMBERS: readonly number[] = [CHANNELS, TIMESTAMP];
const BLOCKS: readonly number[] = [BLOCK, SIMPLE_BLOCK];

const MAX_ID_BYTES = 4;
/** As many as `readUIntBE` reads; 48 bits are enough for milliseconds. */
const MAX_NUMBER_BYTES = 6;
/** Number of the track in one byte, time in two, flags. */
const BLOCK_HEADER_BYTES = 4;

/** Part of the samples of a block, which may come in several pieces. */
export interface PcmPiece {
  /** Time of the first sample; null if the piece continues a block. */
  startMs: number | null;
  bytes: Buffer;
}

/** Parses a Matroska stream with one track of PCM. Retains no more than the header of an element. */
export class MatroskaPcmParser {
  /** Known before the first piece. */
  channels = 0;
  private rest: Buffer = Buffer.alloc(0);
  private clusterMs = 0;
  /** Of the content that is being read or skipped. */
  private remainingBytes = 0;
  private isAudio = false;
  private startMs: number | null = null;

  /** @throws Error if the bytes are no such stream */
  push(bytes: Buffer): PcmPiece[] {
    const pieces: PcmPiece[] = [];
    const data = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    let at = 0;
    for (;;) {
      const end = Math.min(data.length, at + this.remainingBytes);
      if (this.isAudio && end > at) {
        pieces.push({ startMs: this.startMs, bytes: data.subarray(at, end) });
        this.startMs = null;
      }
      this.remainingBytes -= end - at;
      at = end;
      if (this.remainingBytes > 0) break;
      const next = this.startElement(data, at);
      if (next === null) break;
      at = next;
    }
    this.rest = data.subarray(at);
    return pieces;
  }

  /** @returns where its content begins, or the rest of it; null if the bytes are not all there yet */
  private startElement(data: Buffer, at: number): number | null {
    const sizeAt = findEndOfNumber(data, at);
    const contentAt = sizeAt === null ? null : findEndOfNumber(data, sizeAt);
    if (sizeAt === null || contentAt === null) return null;
    if (sizeAt - at > MAX_ID_BYTES) throw new Error('The Matroska stream is damaged.');
    const id = data.readUIntBE(at, sizeAt - at);
    if (CONTAINERS.includes(id)) return contentAt;
    const size = readSize(data, sizeAt, contentAt);
    if (NUMBERS.includes(id)) return this.readNumber(id, data, contentAt, contentAt + size);
    this.isAudio = BLOCKS.includes(id);
    if (!this.isAudio) {
      this.remainingBytes = size;
      return contentAt;
    }
    const samplesAt = contentAt + BLOCK_HEADER_BYTES;
    if (data.length < samplesAt) return null;
    this.startMs = this.clusterMs + data.readInt16BE(contentAt + 1);
    this.remainingBytes = Math.max(0, size - BLOCK_HEADER_BYTES);
    return samplesAt;
  }

  private readNumber(id: number, data: Buffer, at: number, end: number): number | null {
    if (end - at > MAX_NUMBER_BYTES) throw new Error('A number in the Matroska stream is too long.');
    if (data.length < end) return null;
    const value = end > at ? data.readUIntBE(at, end - at) : 0;
    if (id === CHANNELS) this.channels = value;
    else this.clusterMs = value;
    return end;
  }
}

/** The zeros before the first set bit say how many bytes follow. Null if they are not all there. */
function findEndOfNumber(data: Buffer, at: number): number | null {
  const byte = data[at];
  if (byte === undefined) return null;
  if (byte === 0) throw new Error('The Matroska stream is damaged.');
  const end = at + Math.clz32(byte) - 23;
  return end <= data.length ? end : null;
}

/** Without the bit that marks its length. All other bits of an unknown size are set. */
function readSize(data: Buffer, at: number, end: number): number {
  const limit = 2 ** (7 * (end - at));
  // Removed first: with it, eight bytes are more than a number can hold exactly.
  let size = (data[at] ?? 0) % (0x100 >> (end - at));
  for (let index = at + 1; index < end; index += 1) size = 256 * size + (data[index] ?? 0);
  if (size >= limit - 1) throw new Error('An element of the Matroska stream has no size.');
  return size;
}
