import { objectStoreContract } from '../../libs/storage/src/object-store.contract.js';
import { startObjectServer } from '../support/object-server.js';

objectStoreContract('the file store', () => startObjectServer());
