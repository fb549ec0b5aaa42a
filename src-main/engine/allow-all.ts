// The policy that allows whatever a rule can allow. It holds only where it is chosen by its name; without it, what asks is
// denied when nobody can answer (CONF-01). What asks once is asked for all the same (CONF-02).
import type { Policy } from './ports.ts';

/** Each verdict that it gives says so in the ledger. */
export const ALLOW_ALL: Policy = {
  judge: () => ({ effect: 'allow', ruleId: 'allow-all', rule: 'allow all' }),
};
