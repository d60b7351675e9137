import type { Cluster } from '../cluster.js';

/** Clusters of weight 1 that scatter like one voice: by one in each direction. The same seed gives the same. */
export class GaussianClusterSampler {
  constructor(private state: number) {}

  sample(middle: readonly number[], count: number): Cluster[] {
    return Array.from({ length: count }, () => ({
      mean: Float64Array.from(middle, (value) => value + this.normal()),
      weight: 1,
    }));
  }

  /** A sum of uniform numbers: near enough to a normal distribution. */
  private normal(): number {
    let sum = -6;
    for (let i = 0; i < 12; i += 1) sum += this.uniform();
    return sum;
  }

  private uniform(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.state / 2 ** 32;
  }
}
