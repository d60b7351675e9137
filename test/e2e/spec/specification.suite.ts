import { afterAll, beforeAll } from 'vitest';
import type { Dependencies } from '../support/dependencies.js';
import { describeSection1 } from './section-1.suite.js';
import { describeSection2 } from './section-2.suite.js';
import { describeSection3 } from './section-3.suite.js';
import { describeSection4Jobs } from './section-4.jobs.suite.js';
import { describeSection4Transcribe } from './section-4.transcribe.suite.js';
import { describeSection4Uploads } from './section-4.uploads.suite.js';
import { describeSection5 } from './section-5.suite.js';
import { describeSection6 } from './section-6.suite.js';
import { describeSection7 } from './section-7.suite.js';
import { describeSection8 } from './section-8.suite.js';
import { openWorld, type World } from './world.js';

/** Tests the specification section by section against one started service. */
export function describeSpecification(makeParts: () => Promise<Dependencies>): void {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(makeParts);
  });
  afterAll(() => world?.close());

  describeSection1(() => world);
  describeSection2(() => world);
  describeSection3(() => world);
  describeSection4Uploads(() => world);
  describeSection4Jobs(() => world);
  describeSection4Transcribe(() => world);
  describeSection7(() => world);
  describeSection8(() => world);
  describeSection6(() => world);
  describeSection5(() => world);
}
