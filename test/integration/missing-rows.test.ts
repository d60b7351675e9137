import { throwawayStore } from '../support/file-store.js';
import { describeMissingRows } from './missing-rows.suite.js';

describeMissingRows('files', throwawayStore);
