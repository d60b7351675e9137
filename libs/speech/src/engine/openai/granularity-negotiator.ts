import { type TimestampGranularity, TIMESTAMP_GRANULARITIES } from './transcription-form.js';

/** One odd chunk says nothing of the server. */
const REDUCTIONS_BEFORE_SWITCH = 3;
/** Servers are replaced; a question that is refused costs little. */
const CHUNKS_BETWEEN_PROBES = 50;

/** What a server is asked for first, by what it was seen to take. */
export class GranularityNegotiator {
  private finest: TimestampGranularity = TIMESTAMP_GRANULARITIES[0];
  private requestCount = 0;
  private consecutiveReductions = 0;

  /** @param onReduced told when the server is asked for less from now on */
  constructor(private readonly onReduced: (detail: TimestampGranularity) => void) {}

  /** What to ask for one chunk, the most first, until the server takes it. */
  granularitiesToTry(): readonly TimestampGranularity[] {
    this.requestCount += 1;
    return this.requestCount % CHUNKS_BETWEEN_PROBES === 0
      ? TIMESTAMP_GRANULARITIES
      : TIMESTAMP_GRANULARITIES.slice(rank(this.finest));
  }

  /** The server took this question, and refused those for more. */
  recordAccepted(detail: TimestampGranularity): void {
    if (rank(detail) <= rank(this.finest)) {
      this.finest = detail;
      this.consecutiveReductions = 0;
      return;
    }
    this.consecutiveReductions += 1;
    if (this.consecutiveReductions < REDUCTIONS_BEFORE_SWITCH) return;
    this.finest = detail;
    this.consecutiveReductions = 0;
    this.onReduced(detail);
  }
}

function rank(detail: TimestampGranularity): number {
  return TIMESTAMP_GRANULARITIES.indexOf(detail);
}
