import { describe } from 'vitest';
import { openStore } from '../../../src-main/store/open-store.ts';
import { checkLeaks } from '../../helpers/leak-check.ts';
import { storeContract } from './store-contract.ts';

checkLeaks();

describe('the store in this thread', () => {
  storeContract(openStore);
});
