import type { Foundation } from '@app/runtime';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Places, type PlacesLimit } from './places.js';

/** What of one process many callers could take too much of at once. */
export class Pressure {
  constructor(
    /** Bodies of audio that are being taken; shared out by account, as signed addresses name no key. */
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
    help: 'Requests refused by a limit on concurrent requests: `total` of the process (503) or `share` of one key or account (429).',
    labelNames: ['places', 'limit'],
    registers,
  });
  const named = (places: (typeof PLACES)[number]) => {
    // Present from the start, so that the first refusal is an increase.
    for (const limit of ['total', 'share']) refusals.inc({ places, limit }, 0);
    return (limit: PlacesLimit) => refusals.inc({ places, limit });
  };
  const pressure = new Pressure(
    new Places({
      what: 'uploads',
      owner: 'account',
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
    help: 'Use of the limits on concurrent requests: audio bodies, open streams, bytes of JSON bodies.',
    labelNames: ['places'],
    registers,
    collect: () => {
      for (const places of PLACES) taken.set({ places }, pressure[places].taken);
    },
  });
  return pressure;
}
