import type { Foundation } from '@app/runtime';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Places } from './places.js';

/** What of one process many callers could take too much of at once. */
export class Pressure {
  constructor(
    /** Bodies of audio that are being taken; shared out by organisation, as signed addresses name no key. */
    readonly bodies: Places,
    /** Streams and other answers that are held until a job ends, by key. */
    readonly streams: Places,
    /** Bytes of JSON bodies that are being read, by key. */
    readonly json: Places,
  ) {}
}

const PLACES = ['bodies', 'streams', 'json'] as const;

/** The places of a process as configured, with their numbers among the metrics. */
export function createPressure({ config }: Foundation, registry: Registry): Pressure {
  const { api, streams } = config;
  const registers = [registry];
  const refusals = new Counter({
    name: 'zephyr_full_total',
    help: 'Requests refused with 503 as there was no place for them, by what they wanted.',
    labelNames: ['places'],
    registers,
  });
  const named = (places: (typeof PLACES)[number]) => () => refusals.inc({ places });
  const pressure = new Pressure(
    new Places({
      what: 'uploads',
      owner: 'organisation',
      total: api.bodyPoolSize,
      perOwner: api.bodyPoolPerAccount,
      refused: named('bodies'),
    }),
    new Places({
      what: 'event streams',
      owner: 'key',
      total: streams.poolSize + streams.poolWaiting,
      perOwner: streams.poolPerKey,
      refused: named('streams'),
    }),
    new Places({
      what: 'JSON bodies',
      owner: 'key',
      total: api.jsonPoolBytes,
      perOwner: api.jsonPoolBytesPerKey,
      refused: named('json'),
    }),
  );
  const taken: Gauge<'places'> = new Gauge({
    name: 'zephyr_places_taken',
    help: 'Bodies of audio being taken, streams open, bytes of JSON being read.',
    labelNames: ['places'],
    registers,
    collect: () => {
      for (const places of PLACES) taken.set({ places }, pressure[places].taken);
    },
  });
  return pressure;
}
