import { Places } from '../../apps/api/src/pressure/places.js';
import { Pressure } from '../../apps/api/src/pressure/pressure.js';

/** More places than a test of something else takes. */
export function plentyOfPlaces(): Pressure {
  const places = () => new Places({ what: 'requests', owner: 'caller', total: 10_000, perOwner: 10_000 });
  return new Pressure(places(), places(), places());
}
