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
import { createSpecContext, type SpecContext } from './spec-context.js';

/** Tests the specification section by section against one started service. */
export function describeSpecification(startDependencies: () => Promise<Dependencies>): void {
  let context: SpecContext;
  beforeAll(async () => {
    context = await createSpecContext(startDependencies);
  });
  afterAll(() => context?.close());

  describeSection1(() => context);
  describeSection2(() => context);
  describeSection3(() => context);
  describeSection4Uploads(() => context);
  describeSection4Jobs(() => context);
  describeSection4Transcribe(() => context);
  describeSection7(() => context);
  describeSection8(() => context);
  describeSection6(() => context);
  describeSection5(() => context);
}
