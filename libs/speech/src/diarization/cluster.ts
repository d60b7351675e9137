/** Never written to. */
export type FloatVector = Float32Array | Float64Array;

/**
 * Vectors of equal length in one block: a long file has a hundred thousand, and separate arrays would take several times
 * the memory. 32 bits suffice, because the stored features have 16.
 */
export class VectorTable {
  private readonly block: Float32Array;

  /** All zero. */
  constructor(
    readonly count: number,
    private readonly length: number,
  ) {
    this.block = new Float32Array(count * length);
  }

  /** A view, not a copy. */
  at(index: number): Float32Array {
    return this.block.subarray(index * this.length, (index + 1) * this.length);
  }
}

/** Acoustic windows that are attributed to one speaker. */
export interface Cluster {
  mean: Float64Array;
  weight: number;
}

interface WeightedPoint {
  vector: FloatVector;
  weight: number;
}

/** @param points iterated twice */
export function buildCluster(points: Iterable<WeightedPoint>): Cluster {
  let weight = 0;
  for (const point of points) weight += point.weight;
  let mean = new Float64Array(0);
  for (const { vector, weight: own } of points) {
    if (mean.length === 0) mean = new Float64Array(vector.length);
    const share = own / weight;
    for (let i = 0; i < mean.length; i += 1) mean[i] = (mean[i] ?? 0) + share * (vector[i] ?? 0);
  }
  return { mean, weight };
}

export function mergeClusterPair(a: Cluster, b: Cluster): Cluster {
  return buildCluster([
    { vector: a.mean, weight: a.weight },
    { vector: b.mean, weight: b.weight },
  ]);
}

export function computeSquaredDistance(a: FloatVector, b: FloatVector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return sum;
}

/** A share of the weight of all clusters, within bounds. */
export interface MinClusterWeightRule {
  share: number;
  least: number;
  most: number;
}

/** Minimum number of windows of a speaker. It grows with the file, because long files contain more stray sounds. */
const MIN_WINDOWS: MinClusterWeightRule = { share: 0.05, least: 2, most: 6 };

/** Never drops the largest cluster. */
export function dropSmallClusters(clusters: readonly Cluster[], minimum = MIN_WINDOWS): Cluster[] {
  const weights = clusters.map(({ weight }) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const { share, least, most } = minimum;
  const enough = Math.min(most, Math.max(least, share * total), Math.max(...weights));
  return clusters.filter(({ weight }) => weight >= enough);
}
