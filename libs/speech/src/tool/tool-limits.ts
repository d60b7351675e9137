/** What one run of an outside program may use. */
export interface ToolLimits {
  /** Bytes of address space; `Infinity` leaves them as they are. */
  memoryBytes: number;
  /** Seconds of processor time; `Infinity` leaves them as they are. */
  cpuSeconds: number;
  /** Bytes of the largest file it may write; 0 forbids writing files. */
  fileBytes: number;
  /** Seconds from start to end, however busy the machine is. */
  wallSeconds: number;
  /** Seconds that a reader of its output waits for the next bytes. Streams only. */
  stallSeconds?: number;
}
