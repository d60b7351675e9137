import { throwawayStore } from '../support/file-store.js';
import { describeAbsentRows } from './absent-rows.suite.js';

describeAbsentRows('files', throwawayStore);
