import { SAMPLE_RATE } from '../../wav/pcm.js';

/** Makes signals for tests; the same seed gives the same noise. Amplitudes are of 16-bit samples. */
export class SyntheticSoundBuilder {
  private readonly parts: Int16Array[] = [];
  private state: number;

  constructor(seed = 1) {
    this.state = seed;
  }

  silence(seconds: number): this {
    return this.add(seconds, () => 0);
  }

  /** White noise. */
  noise(seconds: number, amplitude: number): this {
    return this.add(seconds, () => amplitude * this.random());
  }

  /** White noise that dies away, by 60 dB in `fadingSeconds`. */
  echo(seconds: number, amplitude: number, fadingSeconds: number): this {
    return this.add(seconds, (at) => {
      return amplitude * 10 ** ((-3 * at) / SAMPLE_RATE / fadingSeconds) * this.random();
    });
  }

  tone(seconds: number, amplitude: number, hertz = 300): this {
    return this.add(seconds, (at) => amplitude * Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE));
  }

  /** Something with the rhythm of speech: syllables of 200 ms that swell and fade over noise. */
  babble(seconds: number, amplitude: number, noise = 0): this {
    return this.add(seconds, (at) => {
      const swell = Math.sin((Math.PI * at) / (SAMPLE_RATE / 5)) ** 2;
      return noise * this.random() + amplitude * swell * this.random();
    });
  }

  samples(): Int16Array {
    const all = new Int16Array(this.parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  private add(seconds: number, sampleAt: (at: number) => number): this {
    this.parts.push(Int16Array.from({ length: Math.round(seconds * SAMPLE_RATE) }, (_, at) => sampleAt(at)));
    return this;
  }

  /** Uniform from -1 to 1. */
  private random(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 2 ** 31 - 1;
  }
}
