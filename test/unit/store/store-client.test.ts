import { describe } from 'vitest';
import { openStoreWorker } from '../../../src-main/store/store-client.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { storeContract } from './store-contract.ts';

checkLeaks();

describe('the store over its workers', () => {
  storeContract((options) => openStoreWorker(options));
});
