import { createThrowawayStore } from '../support/throwaway-store.js';
import { describeMissingRows } from './missing-rows.suite.js';

describeMissingRows('files', createThrowawayStore);
